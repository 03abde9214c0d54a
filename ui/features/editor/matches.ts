import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'

/** Counting beyond this tells nobody anything. */
const COUNTED = 1000

export interface Matches {
  count: number
  /** There are more than were counted. */
  more: boolean
  /** Which of them is selected, from 1; 0 for none. */
  at: number
}

/** How often the query occurs in the text, and where the selection is among it. */
export function countMatches(state: EditorState, query: SearchQuery): Matches {
  const found: Matches = { count: 0, more: false, at: 0 }
  if (!query.valid || query.search === '') return found
  const { from, to } = state.selection.main
  const cursor = query.getCursor(state)
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    if (found.count === COUNTED) return { ...found, more: true }
    found.count += 1
    if (next.value.from === from && next.value.to === to) found.at = found.count
  }
  return found
}
