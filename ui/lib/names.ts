/** File names that users type: invalid names, names with problems on other systems, the extension, and free names. */
import { numberedName } from '#wire/free-names.ts'
import { NAME_MAX_BYTES } from '#wire/paths.ts'

/** Why a name is refused. Each value is a message key below `prompts.names`. */
export type NameProblem = 'empty' | 'dots' | 'slash' | 'control' | 'tooLong'

/** Why a valid name fails on other systems. Each value is a message key below `prompts.names`. */
export type NameWarning = 'foreignSign' | 'foreignWord' | 'foreignEnd'

/** Double extensions: renaming `site.tar.gz` means renaming `site`. */
const DOUBLE_EXTENSION = /\.tar\.(gz|bz2|xz|lz4|sz|br|zst|lzma|z)$/i
/** Characters that Windows and the memory cards of phones refuse in a name. */
const FOREIGN_SIGNS = /[<>:"\\|?*\p{Cc}]/u
/** Device names, which Windows refuses with any extension. */
const FOREIGN_WORDS = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\.|$)/i

/** @returns why the server would refuse the name; undefined if the name is valid */
export function findNameProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/')) return 'slash'
  if (name.includes('\0')) return 'control'
  if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return 'tooLong'
  return undefined
}

/** @returns why another system may refuse the name; undefined if none does */
export function findNameWarning(name: string): NameWarning | undefined {
  if (FOREIGN_SIGNS.test(name)) return 'foreignSign'
  if (FOREIGN_WORDS.test(name)) return 'foreignWord'
  if (/[. ]$/.test(name)) return 'foreignEnd'
  return undefined
}

/** @returns the length of `name` without its extension, in UTF-16 units: the part that a rename selects */
export function stemLength(name: string): number {
  const double = DOUBLE_EXTENSION.exec(name)
  const dot = double && double.index > 0 ? double.index : name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}

/** @returns the first of `a.txt`, `a(1).txt`, `a(2).txt` that is not in `taken`; a folder has no extension */
export function freeName(name: string, taken: ReadonlySet<string>, isDir: boolean): string {
  if (!taken.has(name)) return name
  for (let count = 1; ; count += 1) {
    const candidate = numberedName(name, count, isDir)
    if (!taken.has(candidate)) return candidate
  }
}
