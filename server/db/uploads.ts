/**
 * Uploads in parts: the unfinished ones, and the last finished ones of each user. The bytes are in the private folder.
 * Rows are written without a flush each; the write-ahead log keeps their order.
 */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import type { Commits } from './commits.ts'
import { insertRow } from './insert-row.ts'

export interface StoredUpload {
  id: string
  /** The path of the served folder on the disk; one database may hold several. */
  root: string
  userId: number
  /** The destination in the user's scope. */
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  /** tus Upload-Metadata, decoded. */
  metadata: Record<string, string | null>
  createdMs: number
  touchedMs: number
  /** Another upload to the same address was started since, so the address alone does not identify the upload. */
  contested: boolean
  /** All bytes have arrived, and publication has started or ended. */
  handedOver: boolean
  /** The offset of bytes whose checksum is not verified yet; undefined if there are none. */
  unverifiedFrom: number | undefined
}

interface Row {
  id: string
  root: string
  user_id: number
  path: string
  overwrite: number
  size_bytes: number
  metadata: string
  created_ms: number
  touched_ms: number
  contested: number
  handed_over: number
  unverified_from: number | null
}

export class UploadRows {
  readonly #db: Database
  readonly #commits: Commits

  constructor(db: Database, commits: Commits) {
    this.#db = db
    this.#commits = commits
  }

  insert(upload: StoredUpload): void {
    const row = {
      id: upload.id,
      root: upload.root,
      user_id: upload.userId,
      path: upload.path,
      overwrite: upload.overwrite,
      size_bytes: upload.sizeBytes,
      metadata: JSON.stringify(upload.metadata),
      created_ms: upload.createdMs,
      touched_ms: upload.touchedMs,
      contested: upload.contested,
      handed_over: upload.handedOver,
      unverified_from: upload.unverifiedFrom ?? null,
    }
    this.#commits.writeNow(() => insertRow(this.#db, 'uploads', row))
  }

  find(id: string): StoredUpload | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM uploads WHERE id = ?').get(id)
    return row ? toUpload(row) : undefined
  }

  /** The user's newest upload to a path, whether finished or not. */
  findByPath(root: string, userId: number, path: TreePath): StoredUpload | undefined {
    const row = this.#db
      .query<Row, [string, number, string]>(
        'SELECT * FROM uploads WHERE root = ? AND user_id = ? AND path = ? ORDER BY created_ms DESC',
      )
      .get(root, userId, path)
    return row ? toUpload(row) : undefined
  }

  touch(id: string, touchedMs: number): void {
    this.#write('UPDATE uploads SET touched_ms = ? WHERE id = ?', touchedMs, id)
  }

  setHandedOver(id: string, handedOver: boolean): void {
    this.#write('UPDATE uploads SET handed_over = ? WHERE id = ?', handedOver ? 1 : 0, id)
  }

  /** Resolves when the offset is on the disk. */
  setUnverifiedFrom(id: string, offset: number | undefined): Promise<void> {
    return this.#commits.durably(() => {
      const query = this.#db.query('UPDATE uploads SET unverified_from = ? WHERE id = ?')
      query.run(offset ?? null, id)
    })
  }

  /** The number of uploads whose publication has not started: the user's, and all. */
  countUnfinished(userId: number): { ofUser: number; all: number } {
    const counted = this.#db
      .query<{ own: number; total: number }, [number]>(
        `SELECT count(*) FILTER (WHERE user_id = ?) AS own, count(*) AS total
         FROM uploads WHERE handed_over = 0`,
      )
      .get(userId)
    return { ofUser: counted?.own ?? 0, all: counted?.total ?? 0 }
  }

  /** Stores when a handed-over upload was published. */
  finish(id: string, touchedMs: number): Promise<void> {
    return this.#commits.lazily(() => {
      this.#db.query('UPDATE uploads SET touched_ms = ? WHERE id = ?').run(touchedMs, id)
    })
  }

  /** Deletes the rows of the user's oldest handed-over uploads beyond `countMax`. */
  removeFinished(userId: number, countMax: number): void {
    this.#write(
      `DELETE FROM uploads WHERE id IN (
         SELECT id FROM uploads WHERE user_id = ? AND handed_over = 1
         ORDER BY touched_ms DESC LIMIT -1 OFFSET ?)`,
      userId,
      countMax,
    )
  }

  remove(id: string): void {
    this.#write('DELETE FROM uploads WHERE id = ?', id)
  }

  listByRoot(root: string): StoredUpload[] {
    return this.#db
      .query<Row, [string]>('SELECT * FROM uploads WHERE root = ?')
      .all(root)
      .map(toUpload)
  }

  #write(statement: string, ...values: (string | number | null)[]): void {
    this.#commits.writeNow(() => this.#db.query(statement).run(...values))
  }
}

function toUpload(row: Row): StoredUpload {
  return {
    id: row.id,
    root: row.root,
    userId: row.user_id,
    // Written only from a TreePath.
    path: row.path as TreePath,
    overwrite: row.overwrite === 1,
    sizeBytes: row.size_bytes,
    metadata: JSON.parse(row.metadata),
    createdMs: row.created_ms,
    touchedMs: row.touched_ms,
    contested: row.contested === 1,
    handedOver: row.handed_over === 1,
    unverifiedFrom: row.unverified_from ?? undefined,
  }
}
