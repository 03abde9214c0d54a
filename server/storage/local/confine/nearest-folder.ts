/** Finds the folder in which a missing path would be created. */
import { errnoOf } from '#server/os/errno.ts'
import { isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Handle } from '../handles/handle.ts'
import type { ConfinedFolder } from './confined-folder.ts'

/**
 * Opens a folder, or the lowest existing one above it.
 *
 * @throws Fault forbidden; system errors
 */
export function nearestFolder(confined: ConfinedFolder, path: TreePath): Handle {
  for (let ancestor = path; ; ancestor = parentPath(ancestor)) {
    try {
      return confined.openFolder(ancestor).handle
    } catch (error) {
      const isMissing = errnoOf(error) === 'ENOENT' || isFault(error, 'notDirectory')
      if (ancestor === ROOT || !isMissing) throw error
    }
  }
}
