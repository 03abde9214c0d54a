/** A person's own folder, named after them (docs/api.md 4.4). */
import { Fault } from '#wire/fault.ts'
import { joinPath, parsePath, type TreePath } from '#wire/paths.ts'

/** What homes need of the served tree; `app.ts` hands it in. */
export interface Homes {
  /** Makes the folder and those above it. Not an error if it is there, nor where nothing can be made then. */
  make: (path: TreePath) => Promise<void>
  /** Nothing is there, or an empty folder, and nothing of it is kept in the trash. */
  isFree(path: TreePath): Promise<boolean>
}

/**
 * The folder for `username` strictly below `base`: characters that mean something to systems become
 * dashes, so a name can lead nowhere else.
 *
 * @throws Fault badRequest when nothing usable is left of the name
 */
export function homeFolder(base: string, username: string): TreePath {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/g, '-')
    .replace(/-+/g, '-')
  if (['', '-', '.'].includes(name)) {
    throw new Fault('badRequest', 'No folder can be named after this user name.')
  }
  return joinPath(parsePath(base), name)
}

/** Whether two scopes are one folder, also on file systems that ignore case. */
export function isSameScope(a: string, b: string): boolean {
  return parsePath(a).toLowerCase() === parsePath(b).toLowerCase()
}
