/** Which entries of the journal are deleted: those that are too old, or beyond the limits of number and size. */
import type { Database } from 'bun:sqlite'

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

/**
 * Marks entries as deleted that are too old, and the oldest beyond the limits of number and size; never unfinished
 * ones.
 *
 * @returns the ids of all entries that are marked as deleted, whose steps are not removed yet
 */
export function markDeleted(
  db: Database,
  root: string,
  { beforeMs, countMax, bytes }: JournalLimits,
): number[] {
  db.query(
    `UPDATE journal SET is_done = ${DELETED} WHERE root = $root
       AND is_done IN (1, ${HALFWAY}) AND (at_ms < $beforeMs
       OR id <= (SELECT id FROM journal WHERE root = $root ORDER BY id DESC LIMIT 1 OFFSET $keep)
       OR id <= (SELECT max(id) FROM
         (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM journal WHERE root = $root)
         WHERE total > $bytes))`,
  ).run({ root, beforeMs, keep: countMax, bytes })
  return db
    .query<{ id: number }, [string]>(
      `SELECT id FROM journal WHERE root = ? AND is_done = ${DELETED}`,
    )
    .all(root)
    .map(({ id }) => id)
}
