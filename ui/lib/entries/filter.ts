/** Filters entries of a folder, or other named objects, by parts of their names. */
import { foldText } from '#wire/fold.ts'

interface Named {
  name: string
}

/** @returns the entries whose names contain every word of `text`, in any order; case and accents are ignored */
export function filterByName<Entry extends Named>(
  entries: readonly Entry[],
  text: string,
): readonly Entry[] {
  const words = foldText(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const names = plainNamesOf(entries)
  return entries.filter((_, index) => words.every((word) => names[index]?.includes(word)))
}

/** The normalized names of each list: they are computed once, and not at each keystroke. */
const plainNames = new WeakMap<readonly Named[], readonly string[]>()

function plainNamesOf(entries: readonly Named[]): readonly string[] {
  const names = plainNames.get(entries) ?? entries.map(({ name }) => foldText(name))
  plainNames.set(entries, names)
  return names
}
