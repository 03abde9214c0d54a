/** Being told by the system when a folder changes. */
import { type FSWatcher, watch } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { Fault } from '#wire/fault.ts'

/**
 * @param disk names the folder while this is called; later it may be called anything
 * @throws Fault unavailable when the system watches no more
 */
export function watchFolder(disk: string, changed: () => void): Disposable {
  const watcher = begin(disk, changed)
  // A folder that is taken away ends the telling; whoever looks next finds out why.
  watcher.on('error', () => watcher.close())
  return { [Symbol.dispose]: () => watcher.close() }
}

function begin(disk: string, changed: () => void): FSWatcher {
  try {
    return watch(disk, { persistent: false }, () => changed())
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOSPC' && errnoOf(cause) !== 'EMFILE') throw cause
    throw new Fault('unavailable', 'The system cannot watch another folder.', { cause })
  }
}
