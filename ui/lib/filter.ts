/** Finding entries of one folder by parts of their names. */
import type { Entry } from '#wire/entry.ts'

/** The entries whose names hold every word of `text`, in any order; capitals and accents count for nothing. */
export function filterByName(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const names = plainNamesOf(entries)
  return entries.filter((_, at) => words.every((word) => names[at]?.includes(word)))
}

/** Each list is folded once, and not at every letter. */
const known = new WeakMap<readonly Entry[], readonly string[]>()

function plainNamesOf(entries: readonly Entry[]): readonly string[] {
  const names = known.get(entries) ?? entries.map(({ name }) => plain(name))
  known.set(entries, names)
  return names
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()
}
