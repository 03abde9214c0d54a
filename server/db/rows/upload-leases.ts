/** Which request uses an upload, in the columns `holder` and `is_asked` of its row. Written without a flush. */
import type { Database } from '../database.ts'

export interface StoredLease {
  /** The process and its request; empty if no request uses the upload. */
  holder: string
  /** Whether another process has asked the holder to stop. */
  isAsked: boolean
}

/** @returns undefined if there is no such upload */
export async function leaseOf(db: Database, id: string): Promise<StoredLease | undefined> {
  const row = await db
    .query<{ holder: string; is_asked: number }, [string]>(
      'SELECT holder, is_asked FROM uploads WHERE id = ?',
    )
    .get(id)
  return row ? { holder: row.holder, isAsked: row.is_asked === 1 } : undefined
}

/**
 * Makes a request the holder.
 *
 * @param from the holder so far
 * @returns false if that has changed
 */
export async function hold(
  db: Database,
  id: string,
  { holder, from }: { holder: string; from: string },
): Promise<boolean> {
  const sql = 'UPDATE uploads SET holder = ?, is_asked = 0 WHERE id = ? AND holder = ?'
  return (await db.lazily(() => db.query(sql).run(holder, id, from))).changes > 0
}

/** Stores, or deletes, the request to a holder to stop. */
export async function setAsked(
  db: Database,
  id: string,
  { holder, isAsked }: StoredLease,
): Promise<void> {
  const sql = 'UPDATE uploads SET is_asked = ? WHERE id = ? AND holder = ?'
  await db.lazily(async () => db.query(sql).run(isAsked ? 1 : 0, id, holder))
}

/** Ends a use. A failure on a full disk is ignored: the next request of the process takes the upload over. */
export async function release(db: Database, id: string, holder: string): Promise<void> {
  const sql = "UPDATE uploads SET holder = '', is_asked = 0 WHERE id = ? AND holder = ?"
  await db.lazily(() => db.query(sql).run(id, holder)).catch(() => undefined)
}
