/** Unfinished uploads: what they need to survive a restart. The bytes are in the private folder. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'

export interface StoredUpload {
  id: string
  /** The served folder on the disk: one database may see several. */
  root: string
  userId: number
  /** Where the file goes, in the user's scope. */
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  /** tus Upload-Metadata, decoded. */
  metadata: Record<string, string | null>
  createdMs: number
  touchedMs: number
  /** Another upload took its place under the same address: the address alone no longer names it. */
  contested: boolean
  /** All bytes came, and were given to the storage to publish. */
  handedOver: boolean
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
}

export class UploadRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  insert(upload: StoredUpload): void {
    this.#db
      .query(
        `INSERT INTO uploads
           (id, root, user_id, path, overwrite, size_bytes, metadata, created_ms, touched_ms, contested,
            handed_over)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        upload.id,
        upload.root,
        upload.userId,
        upload.path,
        upload.overwrite ? 1 : 0,
        upload.sizeBytes,
        JSON.stringify(upload.metadata),
        upload.createdMs,
        upload.touchedMs,
        upload.contested ? 1 : 0,
        upload.handedOver ? 1 : 0,
      )
  }

  find(id: string): StoredUpload | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM uploads WHERE id = ?').get(id)
    return row ? toUpload(row) : undefined
  }

  /** The person's unfinished upload to a path. */
  findByPath(root: string, userId: number, path: TreePath): StoredUpload | undefined {
    const row = this.#db
      .query<Row, [string, number, string]>(
        'SELECT * FROM uploads WHERE root = ? AND user_id = ? AND path = ? ORDER BY created_ms DESC',
      )
      .get(root, userId, path)
    return row ? toUpload(row) : undefined
  }

  touch(id: string, touchedMs: number): void {
    this.#db.query('UPDATE uploads SET touched_ms = ? WHERE id = ?').run(touchedMs, id)
  }

  setHandedOver(id: string, handedOver: boolean): void {
    this.#db.query('UPDATE uploads SET handed_over = ? WHERE id = ?').run(handedOver ? 1 : 0, id)
  }

  remove(id: string): void {
    this.#db.query('DELETE FROM uploads WHERE id = ?').run(id)
  }

  listByRoot(root: string): StoredUpload[] {
    return this.#db
      .query<Row, [string]>('SELECT * FROM uploads WHERE root = ?')
      .all(root)
      .map(toUpload)
  }
}

function toUpload(row: Row): StoredUpload {
  return {
    id: row.id,
    root: row.root,
    userId: row.user_id,
    // Stored from a TreePath; nobody else writes this table.
    path: row.path as TreePath,
    overwrite: row.overwrite === 1,
    sizeBytes: row.size_bytes,
    metadata: JSON.parse(row.metadata),
    createdMs: row.created_ms,
    touchedMs: row.touched_ms,
    contested: row.contested === 1,
    handedOver: row.handed_over === 1,
  }
}
