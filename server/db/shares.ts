/** Public links: rows ↔ StoredShare. */
import type { Database } from 'bun:sqlite'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { insertRow } from './insert-row.ts'

export interface StoredShare {
  hash: string
  userId: number
  /** In the owner's scope. */
  path: TreePath
  /**
   * Where the path led when the link was made; the same as `path` where no link of the disk was on the
   * way. Undefined until a link of an earlier release is opened.
   */
  realPath: TreePath | undefined
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
  /** How often strangers have opened it. */
  visits: number
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
  visits: number
}

export class ShareRows {
  readonly #db: Database
  readonly #writeLazily: (work: () => void) => Promise<void>

  /** @param writeLazily writes what a power failure may take */
  constructor(db: Database, writeLazily = async (work: () => void): Promise<void> => work()) {
    this.#db = db
    this.#writeLazily = writeLazily
  }

  insert(share: StoredShare): void {
    insertRow(this.#db, 'shares', {
      hash: share.hash,
      user_id: share.userId,
      path: share.path,
      real_path: share.realPath ?? '',
      target: share.target,
      is_folder: share.isFolder,
      expires_s: share.expiresSec,
      password_hash: share.passwordHash,
      token: share.token,
      created_ms: share.createdMs,
      visits: share.visits,
    })
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

  /** One user's links, by the end of their time. */
  listOf(userId: number): StoredShare[] {
    return this.#db
      .query<Row, [number]>('SELECT * FROM shares WHERE user_id = ? ORDER BY expires_s, created_ms')
      .all(userId)
      .map(toShare)
  }

  /** One user's links to a path and below it, by their own path or by where it led. */
  listBelow(userId: number, path: TreePath): StoredShare[] {
    if (path === ROOT) return this.listOf(userId)
    // Everything that begins with the path and a slash, since `0` follows `/` in every encoding.
    const [first, end] = [`${path}/`, `${path}0`]
    return this.#db
      .query<Row, Record<string, string | number>>(
        `SELECT * FROM shares WHERE user_id = $userId AND (path = $path OR path >= $first AND path < $end)
         UNION
         SELECT * FROM shares WHERE user_id = $userId
           AND (real_path = $path OR real_path >= $first AND real_path < $end)`,
      )
      .all({ userId, path, first, end })
      .map(toShare)
  }

  /** Who has links. */
  owners(): number[] {
    return this.#db
      .query<{ user_id: number }, []>('SELECT DISTINCT user_id FROM shares')
      .all()
      .map(({ user_id }) => user_id)
  }

  /** How many links a user has, and how many bytes their paths take. */
  sizeOf(userId: number): { count: number; bytes: number } {
    const query = this.#db.query<{ count: number; bytes: number | null }, [number]>(
      `SELECT count(*) AS count, sum(octet_length(path) + octet_length(real_path)) AS bytes
       FROM shares WHERE user_id = ?`,
    )
    const row = query.get(userId)
    return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 }
  }

  /** All changes that `work` makes, or none, with one flush. */
  together(work: () => void): void {
    this.#db.transaction(work)()
  }

  /** Gives links other paths, and removes others, all or none. */
  change(
    moved: readonly Pick<StoredShare, 'hash' | 'path' | 'realPath'>[],
    removed: readonly string[],
  ): void {
    if (moved.length + removed.length === 0) return
    this.#db.transaction(() => {
      const move = this.#db.query('UPDATE shares SET path = ?, real_path = ? WHERE hash = ?')
      for (const { hash, path, realPath } of moved) move.run(path, realPath ?? '', hash)
      for (const hash of removed) this.remove(hash)
    })()
  }

  /** Stores what a share that was made elsewhere leads to. */
  setReal(
    hash: string,
    { realPath, target, isFolder }: { realPath: TreePath; target: string; isFolder: boolean },
  ): void {
    this.#db
      .query(
        'UPDATE shares SET real_path = $realPath, target = $target, is_folder = $isFolder WHERE hash = $hash',
      )
      .run({ hash, realPath, target, isFolder: isFolder ? 1 : 0 })
  }

  /** One more visit. */
  async countVisit(hash: string): Promise<void> {
    const count = this.#db.query('UPDATE shares SET visits = visits + 1 WHERE hash = ?')
    await this.#writeLazily(() => void count.run(hash))
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
    realPath: (row.real_path || undefined) as TreePath | undefined,
    target: row.target,
    isFolder: row.is_folder === 1,
    expiresSec: row.expires_s,
    passwordHash: row.password_hash,
    token: row.token,
    createdMs: row.created_ms,
    visits: row.visits,
  }
}
