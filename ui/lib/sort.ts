/** Order of a listing, as the server orders it (docs/api.md 8.5, docs/decisions.md 4). */
import type { Entry, Sorting, SortKey } from '#wire/entry.ts'

/** A sorted copy: folders before files, names in natural order. */
export function sortEntries(entries: readonly Entry[], { by, asc }: Sorting): Entry[] {
  const compare = COMPARERS[by]
  const ordered = (group: Entry[]) => {
    group.sort(compare)
    return asc ? group : group.reverse()
  }
  const folders = ordered(entries.filter((entry) => entry.isDir))
  const files = ordered(entries.filter((entry) => !entry.isDir))
  return folders.concat(files)
}

/** What clicking a column means: its order, and the second time that order turned round. */
export function orderBy(by: SortKey, sorting: Sorting): Sorting {
  // Names begin with A, sizes with the largest, dates with the latest.
  return { by, asc: sorting.by === by ? !sorting.asc : by === 'name' }
}

/** The order of a column in the words of `aria-sort`. */
export function ariaSort(by: SortKey, sorting: Sorting): 'none' | 'ascending' | 'descending' {
  if (sorting.by !== by) return 'none'
  return sorting.asc ? 'ascending' : 'descending'
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byName(a: Entry, b: Entry): number {
  return names.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
}

const COMPARERS: Record<SortKey, (a: Entry, b: Entry) => number> = {
  name: byName,
  size: (a, b) => (a.isDir && b.isDir ? 0 : a.size - b.size) || byName(a, b),
  modified: (a, b) => Date.parse(a.modified) - Date.parse(b.modified) || byName(a, b),
}
