/** Public links: rows ↔ StoredShare. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'

export interface StoredShare {
  hash: string
  userId: number
  /** In the owner's scope. */
  path: TreePath
  /** Where the path led when the link was made; the same as `path` where no link of the disk was on the way. */
  realPath: TreePath
  /** Of a folder behind a link of the disk: which folder it was. Empty for everything else. */
  target: string
  isFolder: boolean
  /** Seconds since 1970; 0 is for ever. */
  expiresSec: number
  /** Empty for a link without a password. */
  passwordHash: string
  /** Opens a link with a password; given to whoever said the password. */
  token: string
  createdMs: number
}

interface Row {
  hash: string
  user_id: number
  path: string
  real_path: string
  target: string
  is_folder: number
  expires_s: number
  password_hash: string
  token: string
  created_ms: number
}

export class ShareRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  insert(share: StoredShare): void {
    this.#db
      .query(
        `INSERT INTO shares (hash, user_id, path, real_path, target, is_folder, expires_s,
           password_hash, token, created_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        share.hash,
        share.userId,
        share.path,
        share.realPath,
        share.target,
        share.isFolder ? 1 : 0,
        share.expiresSec,
        share.passwordHash,
        share.token,
        share.createdMs,
      )
  }

  find(hash: string): StoredShare | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM shares WHERE hash = ?').get(hash)
    return row ? toShare(row) : undefined
  }

  /** All links, by owner and then by the end of their time. */
  list(): StoredShare[] {
    return this.#db
      .query<Row, []>('SELECT * FROM shares ORDER BY user_id, expires_s, created_ms')
      .all()
      .map(toShare)
  }

  /** How many links a user has. */
  count(userId: number): number {
    const query = this.#db.query<{ count: number }, [number]>(
      'SELECT count(*) AS count FROM shares WHERE user_id = ?',
    )
    return query.get(userId)?.count ?? 0
  }

  setPaths(hash: string, path: TreePath, realPath: TreePath): void {
    this.#db
      .query('UPDATE shares SET path = ?, real_path = ? WHERE hash = ?')
      .run(path, realPath, hash)
  }

  remove(hash: string): void {
    this.#db.query('DELETE FROM shares WHERE hash = ?').run(hash)
  }

  removeExpired(nowSec: number): void {
    this.#db.query('DELETE FROM shares WHERE expires_s > 0 AND expires_s <= ?').run(nowSec)
  }
}

function toShare(row: Row): StoredShare {
  return {
    hash: row.hash,
    userId: row.user_id,
    // Stored from a TreePath; nobody else writes this table.
    path: row.path as TreePath,
    realPath: (row.real_path || row.path) as TreePath,
    target: row.target,
    isFolder: row.is_folder === 1,
    expiresSec: row.expires_s,
    passwordHash: row.password_hash,
    token: row.token,
    createdMs: row.created_ms,
  }
}
