import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'
import type { FindMatches } from '#ui/components/fields/FindBar.tsx'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

/** Counts the matches of the query, and finds the selected one. */
export function countMatches(state: EditorState, query: SearchQuery): FindMatches {
  const matches: FindMatches = { count: 0, hasMore: false, index: 0 }
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
