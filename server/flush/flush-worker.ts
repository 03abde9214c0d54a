/** The worker thread that flushes descriptors of this process, and creates and flushes small files. */
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { type FileExtent, flushOpen } from '#server/os/flush.ts'
import { call } from '#server/os/libc.ts'
import { flushAll, type OpenTarget } from './flush-all.ts'
import { asTaskFailure, createFiles, type FileFailures, type NewFile } from './new-file.ts'

declare const self: Worker

/** What is flushed: a file or its data, or its whole file system. */
export type FlushExtent = FileExtent | 'fileSystem'

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
      flush: data.isFlushed ? flushOpen : undefined,
      onWritten: (written) => self.postMessage({ written } satisfies FlushResponse),
    })
    self.postMessage({ failures } satisfies FlushResponse)
  }
}
self.postMessage({} satisfies FlushResponse)

function flush(fd: number, extent: FlushExtent): FlushResponse {
  try {
    if (extent === 'fileSystem') call('syncfs', fd)
    else flushOpen(fd, extent)
    return {}
  } catch (error) {
    return asTaskFailure(error)
  }
}
