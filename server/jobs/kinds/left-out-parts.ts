/** The paths that a copy, an archive or a list of checksums leaves out. Each becomes a failed item, up to a limit. */
import type { Scope } from '#server/access/scope/scope.ts'
import { isUnreadable, unreadable } from '#server/archives/write/readable.ts'
import type { NewItem, StoredItem } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { LeftOutReason } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parsePath, type TreePath } from '#wire/paths.ts'
import { isReservedName } from '#wire/reserved-names.ts'
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

/** The fault of a path that was left out, for a further attempt. */
export async function faultOfPart(scope: Scope, part: string): Promise<Fault> {
  const path = parsePath(part)
  if (isReservedName(nameOf(path))) return faultOfLeftOut(path, 'reserved')
  const node = await scope.stat(path).catch(() => undefined)
  const why = node && (await isUnreadable(scope, node)) ? 'unreadable' : 'special'
  return faultOfLeftOut(path, why)
}

/** The fault of a path that is left out. */
export function faultOfLeftOut(path: TreePath, why: LeftOutReason): Fault {
  switch (why) {
    case 'unreadable':
      return unreadable(path)
    case 'denied':
      return new Fault('forbidden', 'You do not have access to this.')
    case 'reserved':
      return new Fault('unsupported', 'This name is reserved for snapshots. It was skipped.', {
        reason: 'snapshotName',
      })
    case 'link':
    case 'special':
      return new Fault(
        'unsupported',
        'This is a link or a special file, which cannot be copied. It was skipped.',
        { reason: 'specialFile' },
      )
  }
}
