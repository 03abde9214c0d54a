/** The function that does one item of a job, and the context that it gets. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { NewItem, StoredItem, StoredJob } from '#server/db/rows/job-rows.ts'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Imports } from './deps.ts'
import type { JobMeter } from './meter.ts'

export interface JobContext {
  job: StoredJob
  meter: JobMeter
  /** Undefined if the operator allows no imports. */
  imports?: Imports | undefined
  /** All items of the job that are not skipped. */
  items(): Promise<StoredItem[]>
  /** Saves the state of an item. */
  saveItem(item: StoredItem): Promise<void>
  /** Replaces the failed entries of an item, such as files of an archive, by these. */
  replaceParts(item: StoredItem, parts: readonly NewItem[]): Promise<void>
  /** The paths that the item had already created before the server was restarted. */
  createdBy(item: StoredItem): Promise<TreePath[]>
  /** Aborted if the job is stopped, which ends any wait of the handler. */
  stopped: AbortSignal
  /**
   * Called often while an item is handled.
   *
   * @throws Fault aborted if the job was stopped
   * @throws Fault unauthenticated, forbidden if its user has lost the right since it began
   */
  throwIfStopped(): void
  /**
   * Called at points where the job can stop and continue later without repeating work.
   *
   * @throws Fault aborted if the job was stopped, or if its turn is over and jobs of other users wait
   */
  throwIfPreempted(): void
  /** The files of the current item that were compared by hash: identity → mark of the compared version. */
  comparedHashes: Map<string, string>
  /** Notifies clients that the progress changed. */
  reportProgress(): void
  /** Whether the fault would occur for all other items too, so that the job ends. */
  endsJob(fault: Fault): Promise<boolean>
}

/**
 * @returns the path of the result; empty if the item was deleted
 * @throws Fault
 */
export type ItemHandler = (
  scope: Scope,
  item: StoredItem,
  context: JobContext,
) => Promise<TreePath | ''>
