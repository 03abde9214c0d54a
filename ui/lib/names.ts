/** Names people type: what cannot be, what travels badly, where the extension begins, what is free. */
import { numberedName } from '#wire/free-names.ts'
import { NAME_MAX_BYTES } from '#wire/paths.ts'

/** Why a name is refused. Each is a message key below `prompts.names`. */
export type NameProblem = 'empty' | 'dots' | 'slash' | 'control' | 'tooLong'

/** Why a name that works here fails elsewhere. Each is a message key below `prompts.names`. */
export type NameWarning = 'foreignSign' | 'foreignWord' | 'foreignEnd'

/** Extensions that belong together: renaming `site.tar.gz` means renaming `site`. */
const DOUBLE_EXTENSION = /\.tar\.(gz|bz2|xz|lz4|sz|br|zst|lzma|z)$/i
/** Signs that Windows and the memory cards of phones refuse in a name. */
const FOREIGN_SIGNS = /[<>:"\\|?*\p{Cc}]/u
/** Names of devices, which Windows refuses with any extension. */
const FOREIGN_WORDS = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\.|$)/i

/** Why no file or folder can have this name; undefined when one can. The same rules as the server's. */
export function findNameProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/')) return 'slash'
  if (name.includes('\0')) return 'control'
  if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return 'tooLong'
  return undefined
}

/** Why a device other than the server could not keep a file of this name; undefined when all can. */
export function findNameWarning(name: string): NameWarning | undefined {
  if (FOREIGN_SIGNS.test(name)) return 'foreignSign'
  if (FOREIGN_WORDS.test(name)) return 'foreignWord'
  if (/[. ]$/.test(name)) return 'foreignEnd'
  return undefined
}

/** How many UTF-16 units of `name` come before its extension: what renaming a file selects. */
export function stemLength(name: string): number {
  const double = DOUBLE_EXTENSION.exec(name)
  const dot = double && double.index > 0 ? double.index : name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}

/** The first of `a.txt`, `a(1).txt`, `a(2).txt` that `taken` does not hold. A folder has no extension. */
export function freeName(name: string, taken: ReadonlySet<string>, isDir: boolean): string {
  if (!taken.has(name)) return name
  for (let count = 1; ; count += 1) {
    const candidate = numberedName(name, count, isDir)
    if (!taken.has(candidate)) return candidate
  }
}
