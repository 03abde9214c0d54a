/** An item of a plan, with the decision on name conflicts. */
import type { Decision, PlannedItem } from '#wire/jobs.ts'
import type { TreePath } from '#wire/paths.ts'

export interface PlanEntry extends PlannedItem {
  path: TreePath
  to: TreePath | ''
  decision: Decision
  /** The fault as in `X-Fault` if the item is refused; empty otherwise. */
  fault: string
}
