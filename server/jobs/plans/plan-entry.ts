/** The items of a plan, with the decision on name conflicts. */
import type { Decision, PlannedItem } from '#wire/api/jobs.ts'
import type { TreePath } from '#wire/paths.ts'
import { SERVER_LIMITS } from '#wire/server-limits.ts'

export interface PlanEntry extends PlannedItem {
  path: TreePath
  to: TreePath | ''
  decision: Decision
  fault: string
}

/**
 * @param entries the entries of a plan that are refused or taken
 * @returns those that clients receive. Each of the two kinds has half of the limit, and what the other leaves.
 */
export function shownItems(entries: readonly PlanEntry[]): PlannedItem[] {
  const limit = SERVER_LIMITS.planItemsShown
  const refused = entries.filter(({ fault }) => fault !== '')
  const taken = entries.filter(({ fault }) => fault === '')
  const refusedMax = Math.max(limit / 2, limit - taken.length)
  return [...refused.slice(0, refusedMax), ...taken]
    .slice(0, limit)
    .map(({ decision: _, ...item }) => item)
}
