/** Filters entries of a folder, or other named objects, by parts of their names. */

interface Named {
  name: string
}

/** @returns the entries whose names contain every word of `text`, in any order; case and accents are ignored */
export function filterByName<Entry extends Named>(
  entries: readonly Entry[],
  text: string,
): readonly Entry[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const names = plainNamesOf(entries)
  return entries.filter((_, index) => words.every((word) => names[index]?.includes(word)))
}

/** The normalized names of each list: they are computed once, and not at each keystroke. */
const plainNames = new WeakMap<readonly Named[], readonly string[]>()

function plainNamesOf(entries: readonly Named[]): readonly string[] {
  const names = plainNames.get(entries) ?? entries.map(({ name }) => plain(name))
  plainNames.set(entries, names)
  return names
}

/** @returns the text in lower case and without accents; ASCII, which most names are, needs only lower case */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
