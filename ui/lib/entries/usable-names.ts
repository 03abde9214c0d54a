/** File names that users type: names with problems on other systems, and free names. */
import { numberedName } from '#wire/free-names.ts'
import { findNameProblem, type NameProblem } from '#wire/paths.ts'
import { isReservedName } from '#wire/reserved-names.ts'

/** Why a name that a user types is not possible. */
export type TypedNameProblem = NameProblem | 'reserved'

/** @returns why the name is not possible; undefined if it is */
export function findTypedNameProblem(name: string): TypedNameProblem | undefined {
  return findNameProblem(name) ?? (isReservedName(name) ? 'reserved' : undefined)
}

/** Why a valid name fails on other systems. Each value is a message key below `prompts.name`. */
export type NameWarning = 'foreignSign' | 'foreignControl' | 'foreignWord' | 'foreignEnd'

/** Characters that Windows and the memory cards of phones refuse in a name. */
const FOREIGN_SIGNS = /[<>:"\\|?*]/
/** Such characters that cannot be seen. */
const CONTROLS = /\p{Cc}/u
/** Device names, which Windows refuses with any extension. */
const FOREIGN_WORDS = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(\.|$)/i

/** @returns why another system may refuse the name; undefined if none does */
export function findNameWarning(name: string): NameWarning | undefined {
  if (FOREIGN_SIGNS.test(name)) return 'foreignSign'
  if (CONTROLS.test(name)) return 'foreignControl'
  if (FOREIGN_WORDS.test(name)) return 'foreignWord'
  if (/[. ]$/.test(name)) return 'foreignEnd'
  return undefined
}

/** @returns the first of `a.txt`, `a(1).txt`, `a(2).txt` that is not taken; a folder has no extension */
export function freeName(name: string, isTaken: (name: string) => boolean, isDir: boolean): string {
  if (!isTaken(name)) return name
  for (let count = 1; ; count += 1) {
    const candidate = numberedName(name, count, isDir)
    if (!isTaken(candidate)) return candidate
  }
}
