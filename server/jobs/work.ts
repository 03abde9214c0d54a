/** What a job does with one item, and what it may use while it does. */
import type { Scope } from '#server/access/scope.ts'
import type { NewItem, StoredItem, StoredJob } from '#server/db/job-rows.ts'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Meter } from './meter.ts'

export interface Work {
  job: StoredJob
  meter: Meter
  /** All items of the job that are not skipped. */
  all(): StoredItem[]
  /** Writes what may change of an item. */
  put(item: StoredItem): void
  /** Names the entries of an item that failed. */
  putParts(item: StoredItem, parts: readonly NewItem[]): void
  /** What the item has made by now, in the served tree, when a server that is gone had begun it. */
  madeBy(item: StoredItem): TreePath[]
  /** @throws Fault aborted when the job was stopped */
  goOn(): void
  /** There is something new to show. */
  changed(): void
  /** No other item would fare better: the job ends. */
  endsJob(fault: Fault): boolean
}

/** @returns where the thing is now; empty where it is gone @throws Fault */
export type Doing = (scope: Scope, item: StoredItem, work: Work) => Promise<TreePath | ''>
