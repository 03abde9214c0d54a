/** Tells whether a running server uses a private folder below the root. */
import { constants } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { sharesLocks } from '#server/os/local-file-system.ts'
import { isLocked } from '#server/os/lock.ts'
import type { Handle } from '../handles/handle.ts'
import { WORK } from './private-folder.ts'
import { mayBeUsed } from './processes.ts'

/**
 * Whether a private folder in the tree belongs to a running server. One that was created by a command, or left by a
 * stopped server, is removed with the folder that contains it.
 */
export function isInUse(folder: Handle, name: string): boolean {
  try {
    using privateFolder = folder.child(name, constants.O_RDONLY | O_DIRECTORY)
    using work = privateFolder.child(WORK, constants.O_RDONLY | O_DIRECTORY)
    return isLocked(work.fd) || (!sharesLocks(work.disk) && mayBeUsed(work))
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')
  }
}
