/**
 * Names where a file system finds one thing under several: VFAT, exFAT, NTFS and Windows shares ignore
 * case, dots and blanks at the end, and give long names a short one (`SALARI~1.TXT`); others also fold
 * letters that only look alike. Rules compare texts, so a thing is reached by the name that a listing
 * shows, in any case of its letters, and by no other.
 */
import { Fault } from '#wire/fault.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Handle, identityAt } from './handle.ts'
import { openInside } from './local-resolve.ts'

/** Of such a name, only the case is ever ignored. */
const PLAIN = /^[\w !#$%&'()+,\-.;=@[\]^`{}]+$/
const LOST_AT_THE_END = /[. ]$/

/**
 * Looks at each name of a path below `jail`, which leads to a file system that ignores case.
 *
 * @throws Fault badRequest for a name that cannot be one there, notFound for one that no listing shows
 */
export function mustBeListed(jail: Handle, path: TreePath): void {
  const names = segmentsOf(path)
  for (const [depth, name] of names.entries()) {
    if (LOST_AT_THE_END.test(name)) {
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
