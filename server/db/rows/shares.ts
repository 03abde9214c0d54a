/** Public shares: rows ↔ StoredShare. */

import { ROOT, type TreePath } from '#wire/paths.ts'
import type { Database } from '../database.ts'
import { insertRow } from '../insert-row.ts'

export interface StoredShare {
  /** A random id, which the URL of the share contains. */
  hash: string
  userId: number
  /** Relative to the owner's home folder. */
  path: TreePath
  /**
   * The path without symbolic links when the share was created. Undefined for a share of an import or an earlier
   * release until a visitor opens it.
   */
  realPath: TreePath | undefined
  /** What was shared (`objectOf` in shares/shared-objects.ts); empty until it is looked at. */
  target: string
  /** When the shared file was first seen missing; 0 if it was not. */
  lostMs: number
  isFolder: boolean
  /** Seconds since 1970; 0 means never. */
  expiresSec: number
  /** Empty for a share without a password. */
  passwordHash: string
  /** Replaces the password in links; given to visitors who entered it. */
  token: string
  createdMs: number
  /** How often visitors have opened it. */
  visits: number
  /** A text of the owner for visitors. */
  message: string
  /** Whether visitors see the owner's name. */
  showsOwner: boolean
}

interface Row {
  hash: string
  user_id: number
  path: string
  real_path: string
  target: string
  lost_ms: number
  is_folder: number
  expires_s: number
  password_hash: string
  token: string
  created_ms: number
  visits: number
  message: string
  shows_owner: number
}

export class ShareRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async insert(share: StoredShare): Promise<void> {
    await insertRow(this.#db, 'shares', {
      hash: share.hash,
      user_id: share.userId,
      path: share.path,
      real_path: share.realPath ?? '',
      target: share.target,
      lost_ms: share.lostMs ?? 0,
      is_folder: share.isFolder,
      expires_s: share.expiresSec,
      password_hash: share.passwordHash,
      token: share.token,
      created_ms: share.createdMs,
      // A share that is restored from the trash may be from a release without these fields.
      visits: share.visits ?? 0,
      message: share.message ?? '',
      shows_owner: share.showsOwner ? 1 : 0,
    })
  }

  async find(hash: string): Promise<StoredShare | undefined> {
    const row = await this.#db.query<Row, [string]>('SELECT * FROM shares WHERE hash = ?').get(hash)
    return row ? toShare(row) : undefined
  }

  /** All shares, by owner and expiry. */
  async list(): Promise<StoredShare[]> {
    return (
      await this.#db
        .query<Row, []>('SELECT * FROM shares ORDER BY user_id, expires_s, created_ms')
        .all()
    ).map(toShare)
  }

  /** A user's shares, by expiry. */
  async listOf(userId: number): Promise<StoredShare[]> {
    return (
      await this.#db
        .query<Row, [number]>(
          'SELECT * FROM shares WHERE user_id = ? ORDER BY expires_s, created_ms',
        )
        .all(userId)
    ).map(toShare)
  }

  /** A user's shares of a path and below it, by path or real path. */
  async listBelow(userId: number, path: TreePath): Promise<StoredShare[]> {
    if (path === ROOT) return await this.listOf(userId)
    // All texts that begin with the path and a slash: `0` follows `/` in every encoding.
    const [first, end] = [`${path}/`, `${path}0`]
    return (
      await this.#db
        .query<Row, Record<string, string | number>>(
          `SELECT * FROM shares WHERE user_id = $userId AND (path = $path OR path >= $first AND path < $end)
         UNION
         SELECT * FROM shares WHERE user_id = $userId
           AND (real_path = $path OR real_path >= $first AND real_path < $end)`,
        )
        .all({ userId, path, first, end })
    ).map(toShare)
  }

  /** The ids of users with shares. */
  async owners(): Promise<number[]> {
    return (
      await this.#db.query<{ user_id: number }, []>('SELECT DISTINCT user_id FROM shares').all()
    ).map(({ user_id }) => user_id)
  }

  /** The number of a user's shares, and the total length of their paths and messages. */
  async sizeOf(userId: number): Promise<{ count: number; bytes: number }> {
    const query = this.#db.query<{ count: number; bytes: number | null }, [number]>(
      `SELECT count(*) AS count, sum(octet_length(path) + octet_length(real_path) + octet_length(message)) AS bytes
       FROM shares WHERE user_id = ?`,
    )
    const row = await query.get(userId)
    return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 }
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  /**
   * Changes the paths of shares and deletes others, in one transaction. What is at a new path may be a copy of what was
   * shared, so it is looked at again.
   */
  async change(
    moved: readonly Pick<StoredShare, 'hash' | 'path' | 'realPath'>[],
    removed: readonly string[],
  ): Promise<void> {
    if (moved.length + removed.length === 0) return
    await this.#db.transaction(async () => {
      const move = this.#db.query(
        `UPDATE shares SET path = ?, real_path = ?, target = '' WHERE hash = ?`,
      )
      for (const { hash, path, realPath } of moved) await move.run(path, realPath ?? '', hash)
      for (const hash of removed) await this.remove(hash)
    })
  }

  /** Stores what a share is of, and its real path. */
  async setResolved(
    hash: string,
    { realPath, target, isFolder }: { realPath: TreePath; target: string; isFolder: boolean },
  ): Promise<void> {
    await this.#db
      .query(
        `UPDATE shares SET real_path = $realPath, target = $target, is_folder = $isFolder, lost_ms = 0
         WHERE hash = $hash`,
      )
      .run({ hash, realPath, target, isFolder: isFolder ? 1 : 0 })
  }

  async setLost(hash: string, nowMs: number): Promise<void> {
    await this.#db
      .query('UPDATE shares SET lost_ms = ? WHERE hash = ? AND lost_ms = 0')
      .run(nowMs, hash)
  }

  /** Increments the count of visits. */
  async countVisit(hash: string): Promise<void> {
    const count = this.#db.query('UPDATE shares SET visits = visits + 1 WHERE hash = ?')
    await this.#db.lazily(() => count.run(hash))
  }

  async remove(hash: string): Promise<void> {
    await this.#db.query('DELETE FROM shares WHERE hash = ?').run(hash)
  }

  async removeExpired(nowSec: number): Promise<void> {
    const query = this.#db.query('DELETE FROM shares WHERE expires_s > 0 AND expires_s <= ?')
    await this.#db.lazily(() => query.run(nowSec))
  }
}

function toShare(row: Row): StoredShare {
  return {
    hash: row.hash,
    userId: row.user_id,
    // Written only from a TreePath.
    path: row.path as TreePath,
    realPath: (row.real_path || undefined) as TreePath | undefined,
    target: row.target,
    lostMs: row.lost_ms,
    isFolder: row.is_folder === 1,
    expiresSec: row.expires_s,
    passwordHash: row.password_hash,
    token: row.token,
    createdMs: row.created_ms,
    visits: row.visits,
    message: row.message,
    showsOwner: row.shows_owner === 1,
  }
}
