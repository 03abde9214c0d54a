/** Home folders, named after their users (docs/api.md 4.4). */

import { Fault } from '#wire/fault.ts'
import { joinPath, parsePath, type TreePath } from '#wire/paths.ts'
import { isReservedName } from '#wire/reserved-names.ts'

/** The file operations for home folders; `app.ts` provides them. */
export interface HomeFolders {
  /**
   * Creates the folder and those above it, if it does not exist.
   *
   * @throws Fault notDirectory, forbidden, readOnly
   */
  make: (path: TreePath) => Promise<void>
  /** Whether the path is free or an empty folder, and the trash has no content of it. */
  isFree(path: TreePath): Promise<boolean>
}

/**
 * @returns the folder for `username`, strictly below `base`: special characters become dashes, so that a name cannot
 *   lead elsewhere
 * @throws Fault badRequest if nothing usable is left of the name, or a reserved name
 */
export function homeFolder(base: string, username: string): TreePath {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/g, '-')
    .replace(/-+/g, '-')
  if (['', '-', '.'].includes(name) || isReservedName(name)) {
    throw new Fault(
      'badRequest',
      'No folder can have this user name as its name. Choose another user name.',
      { reason: 'usernameUnsuitable', field: 'username' },
    )
  }
  return joinPath(parsePath(base), name)
}

/** The refusal of a new user whose home folder another user has. */
export function homeTaken(): Fault {
  return new Fault('conflict', 'Another user already has the home folder of this name.', {
    reason: 'homeTaken',
    field: 'username',
  })
}

/** Whether two scopes are the same folder, also on file systems that ignore case. */
export function isSameScope(a: string, b: string): boolean {
  return parsePath(a).toLowerCase() === parsePath(b).toLowerCase()
}
