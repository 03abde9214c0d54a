/**
 * Compares texts as people read them: without case and accents, in any form of Unicode. macOS stores `Übung` as `U` with a
 * mark, Windows as one letter. Used by the search, the index of names and the filter of a folder.
 */

const MARKS = /\p{M}+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const ASCII = /^[\x00-\x7f]*$/
/** Letters that people type without their stroke or as two, and that have no decomposition in Unicode. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** @returns the text in lower case, in the compatibility form without marks; a text of marks alone keeps them */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const decomposed = text.normalize('NFKD')
  const plain = decomposed.replace(MARKS, '') || decomposed
  // The lower case of some letters, such as İ, has a mark of its own.
  const lower = plain.toLowerCase().replace(MARKS, '') || plain
  return lower.replace(LETTER, (letter) => LETTERS[letter] ?? letter)
}

/** @returns a name or path as file systems compare it that ignore case; those of macOS ignore the form of Unicode too */
export function caselessText(text: string): string {
  return canonicalText(text).toLowerCase()
}

/** @returns the text in the canonical form, in which names that look the same are equal; case and accents differ */
export function canonicalText(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC')
}

/**
 * Two names are the same name in a folder if their keys are equal (docs/decisions.md, "Names that look the same").
 *
 * @param foldsCase whether the disk ignores the case of names in this folder
 */
export function nameKey(name: string, foldsCase = false): string {
  const canonical = canonicalText(name)
  return foldsCase ? canonicalText(canonical.toLowerCase()) : canonical
}
