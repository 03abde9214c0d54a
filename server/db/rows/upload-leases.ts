/** Which request uses an upload, in the columns `holder` and `is_asked` of its row. Written without a flush. */
import type { Database } from 'bun:sqlite'
import type { Commits } from '../commits.ts'

export interface StoredLease {
  /** The process and its request; empty if no request uses the upload. */
  holder: string
  /** Whether another process has asked the holder to stop. */
  isAsked: boolean
}

/** @returns undefined if there is no such upload */
export function leaseOf(db: Database, id: string): StoredLease | undefined {
  const row = db
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
export function hold(
  db: Database,
  commits: Commits,
  id: string,
  { holder, from }: { holder: string; from: string },
): boolean {
  const sql = 'UPDATE uploads SET holder = ?, is_asked = 0 WHERE id = ? AND holder = ?'
  return commits.writeNow(() => db.query(sql).run(holder, id, from)).changes > 0
}

/** Stores, or deletes, the request to a holder to stop. */
export function setAsked(
  db: Database,
  commits: Commits,
  id: string,
  { holder, isAsked }: StoredLease,
): void {
  const sql = 'UPDATE uploads SET is_asked = ? WHERE id = ? AND holder = ?'
  commits.writeNow(() => db.query(sql).run(isAsked ? 1 : 0, id, holder))
}

/** Ends a use. A failure on a full disk is ignored: the next request of the process takes the upload over. */
export function release(db: Database, commits: Commits, id: string, holder: string): void {
  const sql = "UPDATE uploads SET holder = '', is_asked = 0 WHERE id = ? AND holder = ?"
  commits.lazily(() => db.query(sql).run(id, holder)).catch(() => undefined)
}
