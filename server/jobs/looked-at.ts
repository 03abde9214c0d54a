/** A thing as it was looked at for a plan, with what is to be done. */
import type { Decision, PlannedItem } from '#wire/jobs.ts'

export interface LookedAt extends PlannedItem {
  decision: Decision
  /** The code of the refusal; empty for none. */
  fault: string
}
