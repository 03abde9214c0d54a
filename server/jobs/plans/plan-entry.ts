/** The entries of a plan, with the decision on name conflicts: what clients see of them, and the items of the job. */
import { randomId } from '#server/db/random-id.ts'
import type { NewItem } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Decision, PlannedItem } from '#wire/api/jobs.ts'
import type { TreePath } from '#wire/paths.ts'

const COPY_NAME_BYTES = 12

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

/** @returns the row to insert; an entry that the plan refuses becomes a failed item */
export function newItem(entry: PlanEntry): NewItem {
  const { path, part, to, decision, fault, problem, files, bytes } = entry
  const isRefused = fault !== ''
  return {
    path,
    part,
    to,
    decision,
    copyName: newCopyName(),
    state: isRefused ? ('failed' as const) : ('waiting' as const),
    fault,
    reason: problem,
    files,
    bytes,
  }
}

/** @returns a name for the partial copy of an item */
export function newCopyName(): string {
  return randomId(COPY_NAME_BYTES)
}
