/** Finds the names of a table that match a query, by a byte search over all texts at once. */
import type { SearchQuery } from '#server/files/search/search-query.ts'
import { foldText } from '#wire/fold.ts'
import type { TextColumn } from './columns.ts'
import { BITS, NONE, TOP } from './name-columns.ts'
import type { NameTable } from './name-table.ts'

/** What is known of a folder: whether it is below the searched one. */
const [UNKNOWN, INSIDE, OUTSIDE] = [0, 1, 2]

/**
 * Finds the matching names below `folder`.
 *
 * @param from the first name to search
 * @param until the end of the search, since `onResult` may add names to the table
 * @param onResult called for each result
 */
export function scan(
  table: NameTable,
  query: SearchQuery,
  folder: number,
  { from, until }: { from: number; until: number },
  onResult: (name: number) => void,
): void {
  const isBelow = below(table, folder)
  const seen = query.terms.length > 1 ? new Uint8Array(until) : undefined
  const report = (name: number) => {
    if (table.isGone(name) || seen?.[name] || !isBelow(table.holder.get(name))) return
    if (seen) seen[name] = 1
    onResult(name)
  }
  const fulfils = conditionsOf(table, query)
  if (query.terms.length === 0) {
    for (let name = from; name < until; name += 1) if (fulfils(name)) report(name)
    return
  }
  const { isCaseSensitive, matches } = query
  for (const term of query.terms) {
    // The folded name contains the folded term if the name contains the term.
    eachWith(table.folded, isCaseSensitive ? foldText(term) : term, { from, until }, (name) => {
      if (isCaseSensitive && !matches(table.text.textOf(name))) return
      if (fulfils(name)) report(name)
    })
  }
}

/** Calls a function for each text that contains a term, in order. */
function eachWith(
  texts: TextColumn,
  term: string,
  { from, until }: { from: number; until: number },
  onMatch: (id: number) => void,
): void {
  // NUL ends each name, so a term with it matches nothing.
  if (term.includes('\0') || from >= until) return
  const { bytes, starts } = texts
  const all = Buffer.from(bytes.array.buffer, 0, texts.endOf(until - 1) + 1)
  const termBytes = Buffer.from(term)
  let name = from
  for (let offset = starts.get(from); ; ) {
    offset = all.indexOf(termBytes, offset)
    if (offset < 0) return
    name = texts.indexAt(offset, name)
    onMatch(name)
    offset = texts.endOf(name) + 1
    if (offset >= all.length) return
  }
}

/** @returns a function that says whether a name fulfils any of the conditions */
function conditionsOf(table: NameTable, { conditions }: SearchQuery): (name: number) => boolean {
  if (conditions.length === 0) return () => true
  const media = conditions.reduce(
    (bits, condition) => bits | ('type' in condition ? BITS[condition.type] : 0),
    0,
  )
  const endings = conditions.flatMap((condition) =>
    'ending' in condition ? [Buffer.from(condition.ending)] : [],
  )
  return (name) => {
    if (table.bits.get(name) & media) return true
    if (endings.length === 0) return false
    const { array } = table.text.bytes
    const [first, end] = [table.text.starts.get(name), table.text.endOf(name)]
    return endings.some((ending) => endsWith(array, first, end, ending))
  }
}

/** An extension starts with its only dot, so it is everything from the last dot of the name. */
function endsWith(bytes: Uint8Array, first: number, end: number, ending: Uint8Array): boolean {
  if (end - first < ending.length) return false
  for (let length = 1; length <= ending.length; length += 1) {
    if (bytes[end - length] !== ending[ending.length - length]) return false
  }
  return true
}

/** @returns a function that says whether a folder is `root` or below it */
function below(table: NameTable, root: number): (folder: number) => boolean {
  if (root === TOP) return () => true
  const relations = new Uint8Array(table.folders)
  relations[root] = INSIDE
  return (folder) => {
    let ancestor = folder
    while (ancestor !== NONE && (relations[ancestor] ?? UNKNOWN) === UNKNOWN)
      ancestor = table.parent.get(ancestor)
    const relation = ancestor === NONE ? OUTSIDE : (relations[ancestor] ?? OUTSIDE)
    for (let visited = folder; visited !== ancestor; visited = table.parent.get(visited))
      relations[visited] = relation
    return relation === INSIDE
  }
}
