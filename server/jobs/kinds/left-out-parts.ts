/** The paths that a copy, an archive or a list of checksums leaves out. Each becomes a failed item, up to a limit. */
import type { NewItem, StoredItem } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { FailedParts } from './failed-parts.ts'

export class LeftOutParts {
  readonly #item: StoredItem
  readonly #faults = new Map<TreePath, Fault>()

  /** @param item the whole copy, archive or list */
  constructor(item: StoredItem) {
    this.#item = item
  }

  /** A path may be added more than once. */
  add(path: TreePath, fault: Fault): void {
    if (this.#faults.size < SERVER_LIMITS.partsFailedMax) this.#faults.set(path, fault)
  }

  /** @throws Fault tooLarge if the names are too long to be listed */
  get items(): NewItem[] {
    const parts = new FailedParts(this.#item)
    for (const [path, fault] of this.#faults) parts.add(path, fault)
    return parts.items
  }
}
