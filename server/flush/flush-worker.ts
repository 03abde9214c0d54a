/** The worker thread that flushes descriptors of this process, and creates and flushes small files. */
import { fdatasyncSync, fsyncSync } from 'node:fs'
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { call } from '#server/os/libc.ts'
import { flushAll, type OpenTarget } from './flush-all.ts'
import { asTaskFailure, createFiles, type FileFailures, type NewFile } from './new-file.ts'

declare const self: Worker

/** What is flushed: a file; only its data without times and permissions; or its whole file system. */
export type FlushExtent = 'file' | 'data' | 'fileSystem'

export type FlushRequest =
  | { fd: number; extent: FlushExtent }
  /** Flushes several descriptors. */
  | { targets: readonly OpenTarget[] }
  /** Creates files, as `createFiles`. */
  | { files: readonly NewFile[]; isFlushed: boolean }

/** Empty on success, and in the first message, which reports the start. */
export type FlushResponse =
  | Record<string, never>
  | TaskFailure
  | { failures: FileFailures }
  /** New files are written, and not flushed yet: a part of the answer. */
  | { written: FileFailures }

self.onmessage = async ({ data }: MessageEvent<FlushRequest>) => {
  if ('fd' in data) self.postMessage(flush(data.fd, data.extent))
  else if ('targets' in data) {
    const failures = flushAll(data.targets)
    self.postMessage({ failures } satisfies FlushResponse)
  } else {
    const failures = await createFiles(data.files, {
      flush: data.isFlushed ? fsyncSync : undefined,
      onWritten: (written) => self.postMessage({ written } satisfies FlushResponse),
    })
    self.postMessage({ failures } satisfies FlushResponse)
  }
}
self.postMessage({} satisfies FlushResponse)

function flush(fd: number, extent: FlushExtent): FlushResponse {
  try {
    if (extent === 'fileSystem') call('syncfs', fd)
    else if (extent === 'data') fdatasyncSync(fd)
    else fsyncSync(fd)
    return {}
  } catch (error) {
    return asTaskFailure(error)
  }
}
