/** The items of the trash: rows ↔ StoredTrashItem. The content is in the private folder. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import { insertRow } from './insert-row.ts'
import type { StoredStep } from './journal-rows.ts'

export interface StoredTrashItem {
  id: number
  /** The name of the content in the trash folder. */
  name: string
  root: string
  /** The journal entry of the deletion. */
  entry: number
  atMs: number
  /** The user who deleted or replaced it. */
  userId: number
  username: string
  role: StoredStep['role']
  /** The original path in the served tree; of a version, the present path of its file. */
  path: TreePath
  /** The path at the time of the deletion; the path of a version follows renames of its file. */
  originalPath: TreePath
  isFolder: boolean
  /** -1 for a folder that was not measured yet. */
  sizeBytes: number
  modifiedMs: number
  /** The shares that were deleted with the item, as JSON; empty if there are none. */
  shares: string
}

interface Row {
  id: number
  name: string
  root: string
  entry: number
  at_ms: number
  user_id: number
  username: string
  role: string
  path: string
  original_path: string
  is_folder: number
  size_bytes: number
  modified_ms: number
  shares: string
}

/** SQL that selects rows of finished journal entries; content of unfinished changes is not listed. */
const DONE = 'NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = kept.entry AND j.is_done = 0)'

/** The minimum size of an item: a name and a disk block. */
const ROW_BYTES = 4096
/** The number of rows that are read at once. */
const PAGE = 256

/** `deleted_with` of versions whose file was deleted permanently. Those of present files have 0. */
const DELETED_PERMANENTLY = -1

/** SQL for the trash folder of a name: the text after 24 random characters and a dot. */
const TRASH = 'substr(name, 26)'

export class TrashRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Inserts a row. Versions of a deleted item, and of everything in it, belong to the item until it is restored. */
  insert(item: Omit<StoredTrashItem, 'id' | 'originalPath'>): void {
    const { atMs, userId, isFolder, sizeBytes, modifiedMs, ...same } = item
    const id = insertRow(this.#db, 'kept', {
      ...same,
      original_path: item.path,
      at_ms: atMs,
      user_id: userId,
      is_folder: isFolder,
      size_bytes: sizeBytes,
      modified_ms: modifiedMs,
    })
    if (item.role === 'trash') this.#setDeletedWith(item.root, item.path, id)
  }

  /** Removes the row of an item. The remaining versions that were deleted with it belong to the file at their path. */
  remove(name: string): void {
    this.#db.transaction(() => {
      this.#db
        .query(
          `UPDATE kept SET deleted_with = 0
           WHERE deleted_with = (SELECT id FROM kept WHERE name = ?) AND deleted_with <> 0`,
        )
        .run(name)
      this.#db.query('DELETE FROM kept WHERE name = ?').run(name)
    })()
  }

  setSize(name: string, sizeBytes: number): void {
    this.#db.query('UPDATE kept SET size_bytes = ? WHERE name = ?').run(sizeBytes, name)
  }

  find(root: string, id: number): StoredTrashItem | undefined {
    const row = this.#db
      .query<Row, [number, string]>(`SELECT * FROM kept WHERE id = ? AND root = ? AND ${DONE}`)
      .get(id, root)
    return row ? toTrashItem(row) : undefined
  }

  findByName(name: string): StoredTrashItem | undefined {
    const row = this.#db.query<Row, [string]>('SELECT * FROM kept WHERE name = ?').get(name)
    return row ? toTrashItem(row) : undefined
  }

  /**
   * @param before only items with a smaller id, which are older
   * @returns items that were deleted in a folder or in its subfolders, newest first
   */
  listTrash(root: string, folder: TreePath, before: number, limit: number): StoredTrashItem[] {
    const [first, end] = folder === '/' ? ['/', '0'] : [`${folder}/`, `${folder}0`]
    return this.#db
      .query<Row, Record<string, string | number>>(
        `SELECT * FROM kept WHERE root = $root AND role = 'trash' AND path >= $first AND path < $end
           AND id < $before AND ${DONE} ORDER BY id DESC LIMIT $limit`,
      )
      .all({ root, first, end, before, limit })
      .map(toTrashItem)
  }

  /** Whether the trash has content of a folder. */
  hasBelow(root: string, folder: TreePath): boolean {
    const [first, end] = [`${folder}/`, `${folder}0`]
    return (
      this.#db
        .query(
          `SELECT 1 FROM kept WHERE root = $root AND role IN ('trash', 'version')
             AND (path = $folder OR path >= $first AND path < $end) LIMIT 1`,
        )
        .get({ root, folder, first, end }) !== null
    )
  }

  /** @returns earlier contents of a file, newest first, without those of a deleted file of the same name */
  listVersions(root: string, path: TreePath): StoredTrashItem[] {
    return this.#db
      .query<Row, [string, string]>(
        `SELECT * FROM kept WHERE root = ? AND role = 'version' AND path = ? AND deleted_with = 0
           AND ${DONE} ORDER BY id DESC`,
      )
      .all(root, path)
      .map(toTrashItem)
  }

  /** @returns the versions of a deleted item, and of everything in it */
  versionsOf({ id }: Pick<StoredTrashItem, 'id'>): StoredTrashItem[] {
    return this.#db
      .query<Row, [number]>('SELECT * FROM kept WHERE deleted_with = ? AND deleted_with <> 0')
      .all(id)
      .map(toTrashItem)
  }

  /** @returns all items of finished entries, or those of one trash folder, oldest first */
  *oldestFirst(root: string, trash?: string): Generator<StoredTrashItem> {
    const where = trash === undefined ? `?2 = ''` : `${TRASH} = ?2`
    const query = this.#db.query<Row, [string, string, number, number]>(
      `SELECT * FROM kept WHERE root = ?1 AND ${where} AND id > ?3 AND ${DONE} ORDER BY id LIMIT ?4`,
    )
    for (let after = 0; ; ) {
      const page = query.all(root, trash ?? '', after, PAGE)
      for (const row of page) yield toTrashItem(row)
      const last = page.at(-1)
      if (!last || page.length < PAGE) return
      after = last.id
    }
  }

  /** @returns some of the oldest items of the user with the most, if there are more than the limit in total */
  beyond(root: string, countMax: number): StoredTrashItem[] {
    const count = 'SELECT count(*) AS count FROM kept WHERE root = ?'
    const all = this.#db.query<{ count: number }, [string]>(count).get(root)?.count ?? 0
    if (all <= countMax) return []
    return this.#db
      .query<Row, [string, number]>(
        `SELECT * FROM kept WHERE root = ?1 AND ${DONE} AND user_id =
           (SELECT user_id FROM kept WHERE root = ?1 GROUP BY user_id ORDER BY count(*) DESC LIMIT 1)
         ORDER BY id LIMIT ?2`,
      )
      .all(root, Math.min(all - countMax, PAGE))
      .map(toTrashItem)
  }

  /** The id of the newest row. */
  newest(root: string): number {
    const query = 'SELECT max(id) AS id FROM kept WHERE root = ?'
    return this.#db.query<{ id: number | null }, [string]>(query).get(root)?.id ?? 0
  }

  /**
   * @param after only files with a version of a higher id
   * @returns the oldest versions beyond the limit for a file, and all versions of permanently deleted files
   */
  versionsBeyond(root: string, count: number, after: number): StoredTrashItem[] {
    return this.#db
      .query<Row, [string, number, number]>(
        `SELECT * FROM (
           SELECT *, row_number() OVER (PARTITION BY path, deleted_with ORDER BY id DESC) AS age
           FROM kept WHERE root = ?1 AND role = 'version' AND deleted_with >= 0 AND ${DONE} AND path IN
             (SELECT path FROM kept WHERE root = ?1 AND role = 'version' AND id > ?3))
         WHERE age > ?2
         UNION ALL SELECT *, 0 FROM kept WHERE root = ?1 AND deleted_with = ${DELETED_PERMANENTLY}
         ORDER BY id`,
      )
      .all(root, count, after)
      .map(toTrashItem)
  }

  /** The total size of a trash folder, as far as it is measured. */
  sizeBytes(root: string, trash: string): number {
    return (
      this.#db
        .query<{ bytes: number | null }, [number, string, string]>(
          `SELECT sum(max(size_bytes, ?1)) AS bytes FROM kept WHERE root = ?2 AND ${TRASH} = ?3`,
        )
        .get(ROW_BYTES, root, trash)?.bytes ?? 0
    )
  }

  /** The served folders with items in the trash. */
  roots(): string[] {
    return this.#db
      .query<{ root: string }, []>('SELECT DISTINCT root FROM kept ORDER BY root')
      .all()
      .map(({ root }) => root)
  }

  unmeasured(root: string): StoredTrashItem[] {
    return this.#db
      .query<Row, [string]>(`SELECT * FROM kept WHERE root = ? AND size_bytes < 0 AND ${DONE}`)
      .all(root)
      .map(toTrashItem)
  }

  /**
   * Updates the paths of versions after a rename of their file or a folder above it.
   *
   * @param deletedWith only the versions of this deleted item; those of present files without it
   */
  moveVersions(root: string, from: TreePath, to: TreePath, deletedWith = 0): void {
    const [first, end] = [`${from}/`, `${from}0`]
    this.#db
      .query(
        `UPDATE kept SET path = $to || substr(path, length($from) + 1)
         WHERE root = $root AND role = 'version' AND deleted_with = $deletedWith
           AND (path = $from OR path >= $first AND path < $end)`,
      )
      .run({ root, from, to, first, end, deletedWith })
  }

  /**
   * Separates the versions of a permanently deleted item from its path.
   * @param entry the journal entry of the deletion; versions of later entries belong to another file
   */
  dropVersions(root: string, path: TreePath, entry: number): void {
    this.#setDeletedWith(root, path, DELETED_PERMANENTLY, entry)
  }

  #setDeletedWith(root: string, path: TreePath, id: number, entry = Number.MAX_SAFE_INTEGER): void {
    const [first, end] = [`${path}/`, `${path}0`]
    this.#db
      .query(
        `UPDATE kept SET deleted_with = $id
         WHERE root = $root AND role = 'version' AND deleted_with = 0 AND entry <= $entry
           AND (path = $path OR path >= $first AND path < $end)`,
      )
      .run({ root, path, first, end, id, entry })
  }
}

/** The minimum size of an item on the disk. */
export function diskSizeOf({ sizeBytes }: Pick<StoredTrashItem, 'sizeBytes'>): number {
  return Math.max(sizeBytes, ROW_BYTES)
}

function toTrashItem(row: Row): StoredTrashItem {
  return {
    id: row.id,
    name: row.name,
    root: row.root,
    entry: row.entry,
    atMs: row.at_ms,
    userId: row.user_id,
    username: row.username,
    // Written only by `insert`, from these types.
    role: row.role as StoredTrashItem['role'],
    path: row.path as TreePath,
    originalPath: (row.original_path || row.path) as TreePath,
    isFolder: row.is_folder === 1,
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    shares: row.shares,
  }
}
