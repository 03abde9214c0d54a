/**
 * Some file systems find one file under several names. VFAT, exFAT, NTFS and Windows shares ignore case and trailing
 * dots and spaces, and give long names a short one (`SALARI~1.TXT`). Folders of ext4 and APFS that ignore case also
 * treat some characters as equal to others (`ß` and `ss`), or ignore them. Access rules compare names as text, so a file
 * is reachable only by the name that its folder lists, in any case of its letters and any form of Unicode.
 */
import { Fault } from '#wire/fault.ts'
import { caselessText } from '#wire/fold.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Handle, identityAt } from '../handles/handle.ts'
import { openInside } from '../handles/resolve.ts'

/** Matches a name without `~`, so no short name, whose characters have no equivalent except in the other case. */
const PLAIN = /^[\w !#$%&'()+,\-.;=@[\]^`{}]+$/
const TRAILING_DOT_OR_SPACE = /[. ]$/

/** The maximum number of folders in `#plain`. */
export const PLAIN_FOLDERS_MAX = 1000
/** A folder that was changed within this time may change again and keep its timestamp, which VFAT rounds to 2 s. */
const RECENT_CHANGE_MS = 3000

export class NameAliases {
  /** The versions of folders in which all names are plain. In these, a plain name is never an alias of another. */
  readonly #plain = new Set<string>()
  readonly #hasEndings: boolean

  /** @param options `hasEndings`: names may end with a dot or a space, as on macOS */
  constructor({ hasEndings = process.platform === 'darwin' } = {}) {
    this.#hasEndings = hasEndings
  }

  /**
   * Refuses a path below `base`, on a file system that ignores case, that contains an alias of a listed name.
   *
   * @throws Fault badRequest for a name that such a file system cannot store, notFound for an alias; system errors
   */
  requireListed(base: Handle, path: TreePath): void {
    const names = segmentsOf(path)
    if (!this.#hasEndings && names.some((name) => TRAILING_DOT_OR_SPACE.test(name))) {
      throw new Fault(
        'badRequest',
        'On this file system a name cannot end with a dot or a space.',
        {
          reason: 'nameEnding',
        },
      )
    }
    for (const [index, name] of names.entries()) {
      using folder = openInside(base, names.slice(0, index))
      if (this.isAlias(folder, name))
        throw new Fault('notFound', 'There is no file or folder with this name.')
    }
  }

  /** Whether the name opens a file that the folder lists under another name: a difference in case or form does not count. */
  isAlias(folder: Pick<Handle, 'names' | 'at' | 'stat'>, name: string): boolean {
    if (PLAIN.test(name) && this.#hasPlainNames(folder)) return false
    const wanted = caselessText(name)
    if (folder.names().some((listed) => caselessText(listed) === wanted)) return false
    return identityAt(folder.at(name)) !== undefined
  }

  #hasPlainNames(folder: Pick<Handle, 'names' | 'stat'>): boolean {
    const { dev, ino, mtimeMs, ctimeMs } = folder.stat()
    const version = `${dev} ${ino} ${mtimeMs} ${ctimeMs}`
    if (this.#plain.delete(version)) {
      this.#plain.add(version)
      return true
    }
    if (!folder.names().every((name) => PLAIN.test(name))) return false
    if (Date.now() - ctimeMs > RECENT_CHANGE_MS) this.#plain.add(version)
    if (this.#plain.size > PLAIN_FOLDERS_MAX) {
      const [oldest] = this.#plain
      if (oldest !== undefined) this.#plain.delete(oldest)
    }
    return true
  }
}
