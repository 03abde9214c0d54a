/** The items of the trash. The content is in the private folder. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import type { Commits } from '../commits.ts'
import { insertRow } from '../insert-row.ts'
import { BROUGHT_BY, type BroughtBy, broughtBy, type Removed } from './brought-in.ts'
import { joinEntry } from './joined-changes.ts'
import {
  DONE,
  type StoredTrashItem,
  type TrashRecord,
  type TrashRow,
  toTrashItem,
} from './trash-items.ts'
import { DELETED_PERMANENTLY, TrashLimitRows } from './trash-limits.ts'

/** The id of no user. */
const NO_USER = 0

/** A row to insert. The original path is the present one by default. */
type NewTrashItem = Omit<StoredTrashItem, 'id' | 'originalPath' | 'broughtBy'> & {
  originalPath?: StoredTrashItem['originalPath']
  /** Not known by default. */
  broughtBy?: StoredTrashItem['broughtBy']
}

/**
 * Methods with a promise share a transaction that waits for no flush: the check of the limits finds again what a power
 * failure loses. The others are parts of a transaction of their caller.
 */
export class TrashRows {
  readonly #db: Database
  readonly #commits: Commits
  /** The queries for the limits of the trash. */
  readonly limits: TrashLimitRows

  constructor(db: Database, commits: Commits) {
    this.#db = db
    this.#commits = commits
    this.limits = new TrashLimitRows(db)
  }

  /** Inserts a row. Versions of a deleted item, and of everything in it, belong to the item until it is restored. */
  insert({ originalPath, broughtBy = BROUGHT_BY.unknown, ...item }: NewTrashItem): void {
    const { atMs, userId, isFolder, sizeBytes, diskBytes, modifiedMs, ...same } = item
    const id = insertRow(this.#db, 'kept', {
      ...same,
      original_path: originalPath ?? item.path,
      brought_by: broughtBy,
      at_ms: atMs,
      user_id: userId,
      is_folder: isFolder,
      size_bytes: sizeBytes,
      disk_bytes: diskBytes,
      modified_ms: modifiedMs,
    })
    if (item.role === 'trash') this.#setDeletedWith(item.root, item.path, id)
  }

  /** Who brought removed content in, as far as the journal knows. */
  broughtBy(removed: Removed): BroughtBy {
    return broughtBy(this.#db, removed)
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

  /** As `remove`, for an item whose content is gone already. */
  removeLazily(name: string): Promise<void> {
    return this.#commits.lazily(() => this.remove(name))
  }

  /** Stores the measured size of an item. The length of a file is known from its deletion. */
  setSize(
    name: string,
    { diskBytes, sizeBytes }: Pick<StoredTrashItem, 'diskBytes' | 'sizeBytes'>,
  ): Promise<void> {
    return this.#commits.lazily(() => {
      this.#db
        .query(
          `UPDATE kept SET disk_bytes = ?1, size_bytes = iif(is_folder, ?2, size_bytes) WHERE name = ?3`,
        )
        .run(diskBytes, sizeBytes, name)
    })
  }

  /** Inserts a row for found content. The user is the one with the recorded name, if there is one. */
  insertFound(root: string, name: string, record: TrashRecord): Promise<void> {
    return this.#commits.lazily(() => {
      const user = this.#db
        .query<{ id: number }, [string]>('SELECT id FROM users WHERE username = ?')
        .get(record.username)
      const userId = user?.id ?? NO_USER
      this.insert({ ...record, root, name, userId, entry: 0, diskBytes: -1, shares: '' })
    })
  }

  /** Stores that records of items are on the disk. */
  setRecorded(names: readonly string[]): Promise<void> {
    return this.#commits.lazily(() => {
      const query = this.#db.query('UPDATE kept SET is_recorded = 1 WHERE name = ?')
      for (const name of names) query.run(name)
    })
  }

  /** Joins the change that made a version with the one before, because it cannot be undone without the version. */
  joinChangeOf({ entry }: Pick<StoredTrashItem, 'entry'>): Promise<void> {
    return this.#commits.lazily(() => joinEntry(this.#db, entry))
  }

  find(root: string, id: number): StoredTrashItem | undefined {
    const row = this.#db
      .query<TrashRow, [number, string]>(`SELECT * FROM kept WHERE id = ? AND root = ? AND ${DONE}`)
      .get(id, root)
    return row ? toTrashItem(row) : undefined
  }

  findByName(name: string): StoredTrashItem | undefined {
    const row = this.#db.query<TrashRow, [string]>('SELECT * FROM kept WHERE name = ?').get(name)
    return row ? toTrashItem(row) : undefined
  }

  /**
   * @param before only items with a smaller id, which are older
   * @returns items that were deleted in a folder or in its subfolders, newest first
   */
  listTrash(root: string, folder: TreePath, before: number, limit: number): StoredTrashItem[] {
    const [first, end] = folder === '/' ? ['/', '0'] : [`${folder}/`, `${folder}0`]
    return this.#db
      .query<TrashRow, Record<string, string | number>>(
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
      .query<TrashRow, [string, string]>(
        `SELECT * FROM kept WHERE root = ? AND role = 'version' AND path = ? AND deleted_with = 0
           AND ${DONE} ORDER BY id DESC`,
      )
      .all(root, path)
      .map(toTrashItem)
  }

  /** @returns the versions of a deleted item, and of everything in it */
  versionsOf({ id }: Pick<StoredTrashItem, 'id'>): StoredTrashItem[] {
    return this.#db
      .query<TrashRow, [number]>('SELECT * FROM kept WHERE deleted_with = ? AND deleted_with <> 0')
      .all(id)
      .map(toTrashItem)
  }

  /** The served folders with items in the trash. */
  roots(): string[] {
    return this.#db
      .query<{ root: string }, []>('SELECT DISTINCT root FROM kept ORDER BY root')
      .all()
      .map(({ root }) => root)
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
        `UPDATE kept SET path = $to || substr(path, length($from) + 1), is_recorded = 0
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
