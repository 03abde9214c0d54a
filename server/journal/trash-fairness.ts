/**
 * The order in which items of several users are deleted: the user with the most bytes loses items first, those that the
 * same user had brought in before those of others, and the oldest first.
 */

import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { diskSizeOf, type TrashLimitRows } from '#server/db/rows/trash-limits.ts'

/** Which items may be deleted. */
export interface FairLimits {
  /** The path of the served folder. */
  root: string
  trash: string
  /** Only items that were deleted before this time. */
  beforeMs: number
  /** A user whose items occupy no more bytes than this keeps them. */
  bytesOfUser?: number
}

/**
 * @returns the items that may be deleted, in order. Each is counted as deleted when the next one is asked for. A user
 *   whose remaining items may not be deleted is left out.
 */
export async function* fairOrder(
  rows: TrashLimitRows,
  { root, trash, beforeMs, bytesOfUser = 0 }: FairLimits,
): AsyncGenerator<StoredTrashItem> {
  const bytes = await rows.diskBytesByUser(root, trash)
  const items = new Map<number, AsyncGenerator<StoredTrashItem>>()
  for (;;) {
    const userId = userWithMost(bytes, bytesOfUser)
    if (userId === undefined) return
    const own = items.get(userId) ?? rows.leavingFirst(root, { trash, userId, beforeMs })
    items.set(userId, own)
    const { value: item } = await own.next()
    if (!item) {
      bytes.delete(userId)
      continue
    }
    yield item
    bytes.set(userId, (bytes.get(userId) ?? 0) - diskSizeOf(item))
  }
}

/** @returns the user with the most bytes, if they are more than the limit */
function userWithMost(bytes: ReadonlyMap<number, number>, limitBytes: number): number | undefined {
  let most: number | undefined
  for (const [userId, of] of bytes) {
    if (of > limitBytes && of > (bytes.get(most ?? -1) ?? 0)) most = userId
  }
  return most
}
