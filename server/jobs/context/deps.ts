/** The services that jobs use. */
import type { Origin } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Present, ScopeOwner } from '#server/access/scope/scopes.ts'
import type { Peers } from '#server/cluster/peers.ts'
import type { StoredItem, StoredJob } from '#server/db/rows/job-rows.ts'
import type { JobWatch } from '#server/db/rows/job-watch.ts'
import type { JobRows } from '#server/db/rows/jobs.ts'
import type { RecoveryCounts } from '#server/lib/recovery-counts.ts'
import type { ByteStream } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'

/** Downloads from other servers, if the operator allows them. */
export interface Imports {
  /** @throws Fault badRequest (no valid URL), forbidden (not from this host) */
  requireAllowed(source: string): void
  /** @throws as `openImport` */
  open(source: string, stopped: AbortSignal): Promise<{ name: string; bytes: ByteStream }>
}

export interface JobDeps {
  rows: JobRows
  /** Finds changes by other processes. */
  watch?: JobWatch
  /** The processes that share the database. */
  peers: Peers
  /** Is called after each change of jobs by this process. */
  tellOthers?: (() => void) | undefined
  /** The whole served tree. */
  storage: Storage
  /** @returns the journal entry of an item that is done; 0 if it has none */
  journalEntryOf(item: number): Promise<number>
  /** @returns the user with the rights of this moment; undefined if the account was deleted */
  userOf(id: number): Promise<ScopeOwner | undefined>
  scopeOf(user: ScopeOwner, present: Present, origin: Origin): Scope
  /** Completes or reverses what processes have left on the disk that have ended; before their jobs go on. */
  takeOver?(): Promise<void>
  /** Counts the jobs of processes that have ended. */
  recovered?: RecoveryCounts
  /** Undefined if imports are switched off. */
  imports?: Imports | undefined
  /** Writes the result of an item to the audit log. */
  audit(job: StoredJob, item: StoredItem): void
}
