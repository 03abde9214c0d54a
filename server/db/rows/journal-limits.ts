/** Which entries of the journal are deleted: those that are too old, or beyond the limits of number and size. */
import type { Database } from '../database.ts'
import { fairShare } from './fair-share.ts'

// The column `is_done` is 0 while a change is made, and 1 when it is complete; these are its other values.
/** An entry that is deleted but still has steps. */
export const DELETED = 2
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
 * SQL: whether an entry only created something, at names that the user had not freed before. Undoing these entries brings
 * nothing back. CROSS JOIN makes SQLite read the few steps before the many entries.
 */
const IS_CREATION = `NOT EXISTS (SELECT 1 FROM journal_steps WHERE entry = journal.id AND kind <> 'made')
  AND NOT EXISTS (SELECT 1 FROM journal_steps AS made CROSS JOIN journal_steps AS freed CROSS JOIN journal AS older
    WHERE made.entry = journal.id AND freed.path = made.path AND freed.entry < made.entry AND older.id = freed.entry AND freed.kind IN ('removed', 'renamed') AND older.is_done = 1
      AND older.undone_by = 0 AND older.user_id = journal.user_id AND older.root = journal.root)`
/** SQL: whether an entry was undone, or is an undo. */
const IS_PAST = `is_done = 1 AND (undone_by <> 0 OR verb = 'undo')`
/**
 * SQL: whether an entry leaves first. A user can make many of these entries in a short time, without doing anything that
 * others would want to undo.
 */
const LEAVES_FIRST = `(${IS_PAST} OR (${IS_CREATION}))`

/**
 * Marks entries as deleted that are too old, or beyond the limits of number and size: those of the user with the most,
 * first the oldest of `LEAVES_FIRST`, then the oldest others; never unfinished ones.
 *
 * @returns the ids of all entries that are marked as deleted, whose steps are not removed yet
 */
export async function markDeleted(
  db: Database,
  root: string,
  { beforeMs, countMax, bytes }: JournalLimits,
): Promise<number[]> {
  await db
    .query(
      `UPDATE journal SET is_done = ${DELETED}
     WHERE root = ? AND is_done IN (1, ${HALFWAY}) AND at_ms < ?`,
    )
    .run(root, beforeMs)
  for (const user of await usersBeyond(db, root, { countMax, bytes })) {
    const count = Math.min(user.keptCount, NO_LIMIT)
    const size = Math.min(user.keptBytes, NO_LIMIT)
    await db
      .query(
        `UPDATE journal SET is_done = ${DELETED} WHERE id IN (SELECT id FROM
         (SELECT id, row_number() OVER kept AS number, sum(bytes) OVER kept AS total FROM journal
          WHERE root = $root AND user_id = $userId AND is_done IN (1, ${HALFWAY})
          WINDOW kept AS (ORDER BY ${LEAVES_FIRST}, id DESC)) AS numbered
       WHERE number > $count OR total > $size)`,
      )
      .run({ root, userId: user.userId, count, size })
  }
  return (
    await db
      .query<{ id: number }, [string]>(
        `SELECT id FROM journal WHERE root = ? AND is_done = ${DELETED}`,
      )
      .all(root)
  ).map(({ id }) => id)
}

/** @returns the users with more entries or bytes than they can keep */
export async function usersBeyond(
  db: Database,
  root: string,
  { countMax, bytes }: Pick<JournalLimits, 'countMax' | 'bytes'>,
): Promise<{ userId: number; keptCount: number; keptBytes: number }[]> {
  const users = await db
    .query<{ userId: number; count: number; bytes: number }, [string]>(
      `SELECT user_id AS "userId", count(*) AS count, CAST(sum(bytes) AS BIGINT) AS bytes FROM journal
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
  return users
    .filter((user) => user.count > keptCount || user.bytes > keptBytes)
    .map(({ userId }) => ({ userId, keptCount, keptBytes }))
}
