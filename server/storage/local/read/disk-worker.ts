/** The worker thread that makes blocking file system calls. */
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { errnoOf } from '#server/os/errno.ts'
import type { FolderRecords, PeekRequest, PeekResult } from './folder-records.ts'
import { type FolderAddress, type ListRequest, listFolder, readFileStarts } from './list-folder.ts'

declare const self: Worker

/**
 * `folder` is open in this process. Without `requested` the worker lists it, otherwise it reads files in it.
 * With `ascending` the worker may send two responses, first the entries that come first.
 */
export type DiskRequest = ListRequest & { folder: FolderAddress; requested?: PeekRequest }
export type DiskResponse =
  | { first: FolderRecords; total: number }
  | { found: FolderRecords }
  | { starts: PeekResult }

self.onmessage = ({ data: { folder, requested, ...request } }: MessageEvent<DiskRequest>) => {
  try {
    if (requested) {
      const starts = readFileStarts(folder, requested)
      post({ starts }, [starts.bytes.buffer])
    } else {
      const found = listFolder(folder.disk, request, (first, total) =>
        post({ first, total }, buffersOf(first)),
      )
      post({ found }, buffersOf(found))
    }
  } catch (error) {
    const code = errnoOf(error)
    post({ failure: String(error), ...(code && { code }) })
  }
}

function post(message: DiskResponse | TaskFailure, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}

function buffersOf({ names, numbers }: FolderRecords): ArrayBuffer[] {
  return [names.buffer, numbers.buffer]
}
