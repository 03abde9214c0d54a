/** An item of a plan, with the decision on name conflicts. */
import type { Decision, PlannedItem } from '#wire/jobs.ts'

export interface PlanEntry extends PlannedItem {
  decision: Decision
  /** The code of the fault if the item is refused; empty otherwise. */
  fault: string
}
