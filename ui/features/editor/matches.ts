import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

export interface EditorMatches {
  count: number
  /** Whether there are more matches than were counted. */
  hasMore: boolean
  /** The number of the selected match, from 1; 0 for none. */
  index: number
}

/** Counts the matches of the query, and finds the selected one. */
export function countMatches(state: EditorState, query: SearchQuery): EditorMatches {
  const matches: EditorMatches = { count: 0, hasMore: false, index: 0 }
  if (!query.valid || query.search === '') return matches
  const { from, to } = state.selection.main
  const cursor = query.getCursor(state)
  for (let match = cursor.next(); !match.done; match = cursor.next()) {
    if (matches.count === ON_DEMAND_LIMITS.matchesCountedMax) return { ...matches, hasMore: true }
    matches.count += 1
    if (match.value.from === from && match.value.to === to) matches.index = matches.count
  }
  return matches
}
