/** Watches a folder for changes (inotify). */
import { type FSWatcher, watch } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { Fault } from '#wire/fault.ts'
import type { DiskPath } from '../handles/handle.ts'

/**
 * @param disk the path of the folder at the moment of the call
 * @throws Fault unavailable if the system's limit of watches is reached
 */
export function watchFolder(disk: DiskPath, changed: () => void): Disposable {
  const watcher = startWatching(disk, changed)
  // The watch ends when the folder is removed; `FolderWatchers` notices that the folder is not there any more.
  watcher.on('error', () => watcher.close())
  return { [Symbol.dispose]: () => watcher.close() }
}

function startWatching(disk: DiskPath, changed: () => void): FSWatcher {
  try {
    return watch(disk, { persistent: false }, () => changed())
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOSPC' && errnoOf(cause) !== 'EMFILE') throw cause
    throw new Fault('unavailable', 'The system cannot watch more folders. Try again later.', {
      cause,
    })
  }
}
