/** Which entries of the journal are deleted: those that are too old, or beyond the limits of number and size. */
import type { Database } from 'bun:sqlite'
import { fairShare } from './fair-share.ts'

// The column `is_done` is 0 while a change is made, and 1 when it is complete; these are its other values.
/** An entry that is deleted but still has steps. */
const DELETED = 2
/** An undo that stopped halfway, and its rollback. Neither is listed. */
export const HALFWAY = 3

export interface JournalLimits {
  beforeMs: number
  countMax: number
  bytes: number
}

/** Most bytes or entries that a user keeps. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/**
 * SQL: whether an entry only created something. These are deleted first, because undoing them brings nothing back, and
 * a user can make many of them in a short time.
 */
const IS_CREATION = `(verb IN ('upload', 'folder') AND NOT EXISTS
  (SELECT 1 FROM journal_steps WHERE entry = journal.id AND kind <> 'made'))`

/**
 * Marks entries as deleted that are too old, or beyond the limits of number and size: those of the user with the most,
 * first the oldest that only created something, then the oldest others; never unfinished ones.
 *
 * @returns the ids of all entries that are marked as deleted, whose steps are not removed yet
 */
export function markDeleted(
  db: Database,
  root: string,
  { beforeMs, countMax, bytes }: JournalLimits,
): number[] {
  db.query(
    `UPDATE journal SET is_done = ${DELETED}
     WHERE root = ? AND is_done IN (1, ${HALFWAY}) AND at_ms < ?`,
  ).run(root, beforeMs)
  const users = db
    .query<{ userId: number; count: number; bytes: number }, [string]>(
      `SELECT user_id AS userId, count(*) AS count, sum(bytes) AS bytes FROM journal
       WHERE root = ? AND is_done IN (1, ${HALFWAY}) GROUP BY user_id`,
    )
    .all(root)
  const keptCount = fairShare(
    users.map(({ count }) => count),
    countMax,
  )
  const keptBytes = fairShare(
    users.map((user) => user.bytes),
    bytes,
  )
  for (const user of users) {
    if (user.count <= keptCount && user.bytes <= keptBytes) continue
    const count = Math.min(keptCount, NO_LIMIT)
    const size = Math.min(keptBytes, NO_LIMIT)
    db.query(
      `UPDATE journal SET is_done = ${DELETED} WHERE id IN (SELECT id FROM
         (SELECT id, row_number() OVER kept AS number, sum(bytes) OVER kept AS total FROM journal
          WHERE root = $root AND user_id = $userId AND is_done IN (1, ${HALFWAY})
          WINDOW kept AS (ORDER BY ${IS_CREATION}, id DESC))
       WHERE number > $count OR total > $size)`,
    ).run({ root, userId: user.userId, count, size })
  }
  return db
    .query<{ id: number }, [string]>(
      `SELECT id FROM journal WHERE root = ? AND is_done = ${DELETED}`,
    )
    .all(root)
    .map(({ id }) => id)
}
