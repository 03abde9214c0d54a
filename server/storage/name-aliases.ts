/**
 * Some file systems find one thing under several names: VFAT, exFAT, NTFS and Windows shares ignore
 * case, dots and blanks at the end, and give long names a short one (`SALARI~1.TXT`); others also fold
 * letters that only look alike. Rules compare texts, so a thing is reached by the name that a listing
 * shows, in any case of its letters, and by no other.
 */
import { Fault } from '#wire/fault.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Handle, identityAt } from './handle.ts'
import { openInside } from './local-resolve.ts'

/** A name that can have no alias except by the case of its letters. */
const PLAIN = /^[\w !#$%&'()+,\-.;=@[\]^`{}]+$/
const TRAILING_DOT_OR_SPACE = /[. ]$/

/**
 * Refuses a path below `jail`, on a file system that ignores case, in which a name is an alias of a listed one.
 *
 * @throws Fault badRequest for a name that cannot be one there, notFound for one that no listing shows
 */
export function mustBeListed(jail: Handle, path: TreePath): void {
  const names = segmentsOf(path)
  for (const [depth, name] of names.entries()) {
    if (TRAILING_DOT_OR_SPACE.test(name)) {
      throw new Fault('badRequest', 'On this file system a name cannot end with a dot or a space.')
    }
    if (PLAIN.test(name)) continue
    using folder = openInside(jail, names.slice(0, depth))
    if (isAlias(folder, name))
      throw new Fault('notFound', 'There is no file or folder with this name.')
  }
}

/** Whether a name leads to something that has another one. */
export function isAlias(folder: Pick<Handle, 'names' | 'at'>, name: string): boolean {
  const folded = name.toLowerCase()
  if (folder.names().some((listed) => listed.toLowerCase() === folded)) return false
  return identityAt(folder.at(name)) !== undefined
}
