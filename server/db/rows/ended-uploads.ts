/** Unfinished uploads whose rows were deleted, and those that users begin: a part of UploadRows. */
import type { Database } from '../database.ts'
import { type OwnedUpload, toUpload, type UploadRow } from './upload-rows.ts'

interface OwnedRow extends UploadRow {
  username: string
  scope: string
}

/**
 * @param root empty for all served folders
 * @param userId the owner; undefined for all users
 * @param id only this upload
 * @returns unfinished uploads, the largest first
 */
export async function listUnfinished(
  db: Database,
  values: { root: string; userId: number | undefined; limit: number; id: string | undefined },
): Promise<OwnedUpload[]> {
  const { root, userId, limit, id } = values
  return (
    await db
      .query<OwnedRow, { root: string; userId: number; limit: number; id: string }>(
        `SELECT uploads.*, username, scope FROM uploads JOIN users ON users.id = user_id
       WHERE $root IN (root, '') AND handed_over = 0 AND $userId IN (user_id, -1) AND $id IN (uploads.id, '')
       ORDER BY size_bytes DESC, created_ms LIMIT $limit`,
      )
      .all({ root, userId: userId ?? -1, limit, id: id ?? '' })
  ).map((row) => ({ ...toUpload(row), username: row.username, scope: row.scope }))
}

/**
 * What users have declared and not finished: the sum of the sizes of each user. The `||` keeps SQLite from the index of
 * the root, which contains the finished uploads too.
 */
export function declaredBytes(
  db: Database,
  root: string,
): Promise<{ userId: number; bytes: number }[]> {
  return db
    .query<{ userId: number; bytes: number }, [string]>(
      `SELECT user_id AS "userId", CAST(sum(size_bytes) AS BIGINT) AS bytes FROM uploads
       WHERE root || '' = ? AND handed_over = 0 GROUP BY user_id`,
    )
    .all(root)
}

/** Reads and deletes the ids of uploads that were ended, whose bytes must be removed. */
export async function takeEnded(db: Database, root: string): Promise<string[]> {
  if (!(await db.query('SELECT 1 FROM ended_uploads WHERE root = ?').get(root))) return []
  return (
    await db
      .query<{ id: string }, [string]>('DELETE FROM ended_uploads WHERE root = ? RETURNING id')
      .all(root)
  ).map(({ id }) => id)
}
