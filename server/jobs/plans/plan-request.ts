/** The request for a plan, and the resulting plan with the items for its job. */
import type { Decision, JobKind, JobPlan } from '#wire/api/jobs.ts'
import type { NameEncoding } from '#wire/name-encodings.ts'
import type { TreePath } from '#wire/paths.ts'
import type { PlanEntry } from './plan-entry.ts'

export interface PlanRequest {
  kind: JobKind
  /** `name`: of the copied or moved entry; by default its own. */
  items: readonly { path: TreePath; decision: Decision; name?: string | undefined }[]
  /** The destination folder; for an archive the file to create. */
  to: TreePath | undefined
  /** The URL to import. */
  source?: string | undefined
  /** Of the names in a zip to extract. */
  encoding?: NameEncoding | undefined
}

export interface PlanWithItems {
  plan: JobPlan
  items: PlanEntry[]
}
