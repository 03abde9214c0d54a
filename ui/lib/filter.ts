/** Finding entries of one folder, or anything else with a name, by parts of their names. */

interface Named {
  name: string
}

/** The entries whose names hold every word of `text`, in any order; capitals and accents count for nothing. */
export function filterByName<Entry extends Named>(
  entries: readonly Entry[],
  text: string,
): readonly Entry[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const names = plainNamesOf(entries)
  return entries.filter((_, at) => words.every((word) => names[at]?.includes(word)))
}

/** Each list is folded once, and not at every letter. */
const known = new WeakMap<readonly Named[], readonly string[]>()

function plainNamesOf(entries: readonly Named[]): readonly string[] {
  const names = known.get(entries) ?? entries.map(({ name }) => plain(name))
  known.set(entries, names)
  return names
}

/** Most names are ASCII, which has no accents to take off. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
