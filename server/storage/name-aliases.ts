/**
 * Some file systems find one file under several names: VFAT, exFAT, NTFS and Windows shares ignore case and trailing
 * dots and spaces, and give long names a short one (`SALARI~1.TXT`); others fold similar letters. Rules compare text,
 * so a file is reachable only by its listed name, in any case of its letters.
 */
import { Fault } from '#wire/fault.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Handle, identityAt } from './handle.ts'
import { openInside } from './local-resolve.ts'

/** A name whose only aliases differ in case. */
const PLAIN = /^[\w !#$%&'()+,\-.;=@[\]^`{}]+$/
const TRAILING_DOT_OR_SPACE = /[. ]$/

/**
 * Refuses a path below `base`, on a file system that ignores case, that contains an alias of a listed name.
 *
 * @throws Fault badRequest for a name that such a file system cannot store, notFound for an alias
 */
export function requireListedName(base: Handle, path: TreePath): void {
  const names = segmentsOf(path)
  for (const [depth, name] of names.entries()) {
    if (TRAILING_DOT_OR_SPACE.test(name)) {
      throw new Fault('badRequest', 'On this file system a name cannot end with a dot or a space.')
    }
    if (PLAIN.test(name)) continue
    using folder = openInside(base, names.slice(0, depth))
    if (isAlias(folder, name))
      throw new Fault('notFound', 'There is no file or folder with this name.')
  }
}

/** Whether the name opens a file that the folder lists under another name. A difference in case does not count. */
export function isAlias(folder: Pick<Handle, 'names' | 'at'>, name: string): boolean {
  const folded = name.toLowerCase()
  if (folder.names().some((listed) => listed.toLowerCase() === folded)) return false
  return identityAt(folder.at(name)) !== undefined
}
