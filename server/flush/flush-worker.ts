/** The worker thread that flushes descriptors of this process. */
import { fdatasyncSync, fsyncSync } from 'node:fs'
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { call } from '#server/os/libc.ts'

declare const self: Worker

/** What is flushed: a file; only its data without times and permissions; or its whole file system. */
export type FlushExtent = 'file' | 'data' | 'fileSystem'

export interface FlushRequest {
  fd: number
  extent: FlushExtent
}

/** Empty on success, and in the first message, which reports the start. */
export type FlushResponse = Record<string, never> | TaskFailure

self.onmessage = ({ data: { fd, extent } }: MessageEvent<FlushRequest>) => {
  self.postMessage(flush(fd, extent))
}
self.postMessage({} satisfies FlushResponse)

function flush(fd: number, extent: FlushExtent): FlushResponse {
  try {
    if (extent === 'fileSystem') call('syncfs', fd)
    else if (extent === 'data') fdatasyncSync(fd)
    else fsyncSync(fd)
    return {}
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { failure: String(error), ...(code && { code }) }
  }
}
