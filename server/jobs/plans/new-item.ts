/** Makes the items of a job from the entries of its plan. */

import { randomId } from '#server/db/random-id.ts'
import type { NewItem } from '#server/db/rows/job-rows.ts'
import type { PlanEntry } from './plan-entry.ts'

const COPY_NAME_BYTES = 12

/** @returns the row to insert; an entry that the plan refuses becomes a failed item */
export function newItem(entry: PlanEntry): NewItem {
  const { path, part, to, decision, fault, problem, files, bytes } = entry
  const isRefused = fault !== ''
  return {
    path,
    part,
    to,
    decision,
    copyName: randomId(COPY_NAME_BYTES),
    state: isRefused ? ('failed' as const) : ('waiting' as const),
    fault,
    reason: problem,
    files,
    bytes,
  }
}
