/** What jobs are given. */
import type { Origin } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope.ts'
import type { ScopeOwner } from '#server/access/scopes.ts'
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import type { JobRows } from '#server/db/jobs.ts'
import type { Storage } from '#server/storage/storage.ts'

export interface JobDeps {
  rows: JobRows
  /** The whole served tree. */
  storage: Storage
  /** The entry of the journal that an item has made, and is done; 0 for none. */
  entryOf(item: number): number
  /** A user as they are at this moment; undefined when they are gone. */
  userOf(id: number): ScopeOwner | undefined
  scopeOf(user: ScopeOwner, present: () => ScopeOwner, origin: Origin): Scope
  /** Writes down what became of an item, for the record. */
  note(job: StoredJob, item: StoredItem): void
}
