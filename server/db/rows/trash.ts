/** The items of the trash. The content is in the private folder. */

import type { TreePath } from '#wire/paths.ts'
import type { Database } from '../database.ts'
import { insertNumbered } from '../insert-row.ts'
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
  /** The queries for the limits of the trash. */
  readonly limits: TrashLimitRows

  constructor(db: Database) {
    this.#db = db
    this.limits = new TrashLimitRows(db)
  }

  /** Inserts a row. Versions of a deleted item, and of everything in it, belong to the item until it is restored. */
  async insert({
    originalPath,
    broughtBy = BROUGHT_BY.unknown,
    ...item
  }: NewTrashItem): Promise<void> {
    const { atMs, userId, isFolder, sizeBytes, diskBytes, modifiedMs, ...same } = item
    const id = await insertNumbered(this.#db, 'kept', {
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
    if (item.role === 'trash') await this.#setDeletedWith(item.root, item.path, id)
  }

  /** Who brought removed content in, as far as the journal knows. */
  broughtBy(removed: Removed): Promise<BroughtBy> {
    return broughtBy(this.#db, removed)
  }

  /** Removes the row of an item. The remaining versions that were deleted with it belong to the file at their path. */
  async remove(name: string): Promise<void> {
    await this.#db.withFiles(async () => {
      await this.#db
        .query(
          `UPDATE kept SET deleted_with = 0
           WHERE deleted_with = (SELECT id FROM kept WHERE name = ?) AND deleted_with <> 0`,
        )
        .run(name)
      await this.#db.query('DELETE FROM kept WHERE name = ?').run(name)
    })
  }

  /** As `remove`, for an item whose content is gone already. */
  removeLazily(name: string): Promise<void> {
    return this.#db.lazily(async () => this.remove(name))
  }

  /** Stores the measured size of an item. The length of a file is known from its deletion. */
  setSize(
    name: string,
    { diskBytes, sizeBytes }: Pick<StoredTrashItem, 'diskBytes' | 'sizeBytes'>,
  ): Promise<void> {
    return this.#db.lazily(async () => {
      await this.#db
        .query(
          `UPDATE kept SET disk_bytes = ?1, size_bytes = CASE WHEN is_folder = 0 THEN size_bytes ELSE ?2 END WHERE name = ?3`,
        )
        .run(diskBytes, sizeBytes, name)
    })
  }

  /** Inserts a row for found content. The user is the one with the recorded name, if there is one. */
  insertFound(root: string, name: string, record: TrashRecord): Promise<void> {
    return this.#db.lazily(async () => {
      const user = await this.#db
        .query<{ id: number }, [string]>('SELECT id FROM users WHERE username = ?')
        .get(record.username)
      const userId = user?.id ?? NO_USER
      await this.insert({ ...record, root, name, userId, entry: 0, diskBytes: -1, shares: '' })
    })
  }

  /** Stores that records of items are on the disk. */
  setRecorded(names: readonly string[]): Promise<void> {
    return this.#db.lazily(async () => {
      const query = this.#db.query('UPDATE kept SET is_recorded = 1 WHERE name = ?')
      for (const name of names) await query.run(name)
    })
  }

  /** Joins the change that made a version with the one before, because it cannot be undone without the version. */
  joinChangeOf({ entry }: Pick<StoredTrashItem, 'entry'>): Promise<void> {
    return this.#db.lazily(async () => joinEntry(this.#db, entry))
  }

  async find(root: string, id: number): Promise<StoredTrashItem | undefined> {
    const row = await this.#db
      .query<TrashRow, [number, string]>(`SELECT * FROM kept WHERE id = ? AND root = ? AND ${DONE}`)
      .get(id, root)
    return row ? toTrashItem(row) : undefined
  }

  async findByName(name: string): Promise<StoredTrashItem | undefined> {
    const row = await this.#db
      .query<TrashRow, [string]>('SELECT * FROM kept WHERE name = ?')
      .get(name)
    return row ? toTrashItem(row) : undefined
  }

  /**
   * @param before only items with a smaller id, which are older
   * @returns items that were deleted in a folder or in its subfolders, newest first
   */
  async listTrash(
    root: string,
    folder: TreePath,
    before: number,
    limit: number,
  ): Promise<StoredTrashItem[]> {
    const [first, end] = folder === '/' ? ['/', '0'] : [`${folder}/`, `${folder}0`]
    return (
      await this.#db
        .query<TrashRow, Record<string, string | number>>(
          `SELECT * FROM kept WHERE root = $root AND role = 'trash' AND path >= $first AND path < $end
           AND id < $before AND ${DONE} ORDER BY id DESC LIMIT $limit`,
        )
        .all({ root, first, end, before, limit })
    ).map(toTrashItem)
  }

  /** Whether the trash has content of a folder. */
  async hasBelow(root: string, folder: TreePath): Promise<boolean> {
    const [first, end] = [`${folder}/`, `${folder}0`]
    return (
      (await this.#db
        .query(
          `SELECT 1 FROM kept WHERE root = $root AND role IN ('trash', 'version')
             AND (path = $folder OR path >= $first AND path < $end) LIMIT 1`,
        )
        .get({ root, folder, first, end })) !== null
    )
  }

  /** @returns earlier contents of a file, newest first, without those of a deleted file of the same name */
  async listVersions(root: string, path: TreePath): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [string, string]>(
          `SELECT * FROM kept WHERE root = ? AND role = 'version' AND path = ? AND deleted_with = 0
           AND ${DONE} ORDER BY id DESC`,
        )
        .all(root, path)
    ).map(toTrashItem)
  }

  /** @returns the versions of a deleted item, and of everything in it */
  async versionsOf({ id }: Pick<StoredTrashItem, 'id'>): Promise<StoredTrashItem[]> {
    return (
      await this.#db
        .query<TrashRow, [number]>(
          'SELECT * FROM kept WHERE deleted_with = ? AND deleted_with <> 0',
        )
        .all(id)
    ).map(toTrashItem)
  }

  /** The served folders with items in the trash. */
  async roots(): Promise<string[]> {
    return (
      await this.#db
        .query<{ root: string }, []>('SELECT DISTINCT root FROM kept ORDER BY root')
        .all()
    ).map(({ root }) => root)
  }

  /**
   * Updates the paths of versions after a rename of their file or a folder above it.
   *
   * @param deletedWith only the versions of this deleted item; those of present files without it
   */
  async moveVersions(root: string, from: TreePath, to: TreePath, deletedWith = 0): Promise<void> {
    const [first, end] = [`${from}/`, `${from}0`]
    await this.#db
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
  async dropVersions(root: string, path: TreePath, entry: number): Promise<void> {
    await this.#setDeletedWith(root, path, DELETED_PERMANENTLY, entry)
  }

  async #setDeletedWith(
    root: string,
    path: TreePath,
    id: number,
    entry = Number.MAX_SAFE_INTEGER,
  ): Promise<void> {
    const [first, end] = [`${path}/`, `${path}0`]
    await this.#db
      .query(
        `UPDATE kept SET deleted_with = $id
         WHERE root = $root AND role = 'version' AND deleted_with = 0 AND entry <= $entry
           AND (path = $path OR path >= $first AND path < $end)`,
      )
      .run({ root, path, first, end, id, entry })
  }
}
