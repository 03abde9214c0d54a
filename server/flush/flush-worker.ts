/** A thread that waits for the disk until what a descriptor of this process has written is on it. */
import { fdatasyncSync, fsyncSync } from 'node:fs'

declare const self: Worker

export interface FlushQuestion {
  fd: number
  /** Neither times nor rights of the file: only what is needed to read its bytes. */
  dataOnly: boolean
}

/** `failure` is missing when all is well, and in the first message, which says that the thread has begun. */
export interface FlushAnswer {
  failure?: string
  code?: string
}

self.onmessage = ({ data: { fd, dataOnly } }: MessageEvent<FlushQuestion>) => {
  self.postMessage(flushed(fd, dataOnly))
}
self.postMessage({} satisfies FlushAnswer)

function flushed(fd: number, dataOnly: boolean): FlushAnswer {
  try {
    if (dataOnly) fdatasyncSync(fd)
    else fsyncSync(fd)
    return {}
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { failure: String(error), ...(code && { code }) }
  }
}
