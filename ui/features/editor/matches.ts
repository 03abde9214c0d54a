import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'

/** The largest count that is shown. */
const COUNT_MAX = 1000

export interface Matches {
  count: number
  /** Whether there are more matches than were counted. */
  more: boolean
  /** The number of the selected match, from 1; 0 for none. */
  index: number
}

/** Counts the matches of the query, and finds the selected one. */
export function countMatches(state: EditorState, query: SearchQuery): Matches {
  const found: Matches = { count: 0, more: false, index: 0 }
  if (!query.valid || query.search === '') return found
  const { from, to } = state.selection.main
  const cursor = query.getCursor(state)
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    if (found.count === COUNT_MAX) return { ...found, more: true }
    found.count += 1
    if (next.value.from === from && next.value.to === to) found.index = found.count
  }
  return found
}
