/**
 * Uploads in parts: the unfinished ones, and the last finished ones of each user. The bytes are in the private folder.
 * Rows are written without a flush each; the write-ahead log keeps their order. The row of a new small upload is
 * written after a second, because most are complete by then, and their row is written once. A killed server forgets
 * uploads without a row; their clients start them again.
 */

import type { TreePath } from '#wire/paths.ts'
import { isUserGone } from '../constraints.ts'
import { type Database, UNLIMITED } from '../database.ts'
import { insertRow } from '../insert-row.ts'
import { declaredBytes, listUnfinished, takeEnded } from './ended-uploads.ts'
import { hold, leaseOf, release, type StoredLease, setAsked } from './upload-leases.ts'
import {
  type OwnedUpload,
  rowOf,
  type StoredUpload,
  toUpload,
  type UploadRow,
} from './upload-rows.ts'

/** What is stored before the name of the file changes. */
export type Publication = Pick<StoredUpload, 'touchedMs' | 'session' | 'published'>

/** The row of an upload of more bytes is written at once, because to send it again takes long. */
const SMALL_BYTES = 1024 * 1024
/** The row of a new upload is written after this time at the latest. */
const WRITTEN_AFTER_MS = 1000
/** The greatest number of uploads without a row. */
const NEW_MAX = 100

export class UploadRows {
  readonly #db: Database
  /** Uploads without a row, by id. The oldest are first. */
  readonly #new = new Map<string, StoredUpload>()
  /** Resolves when rows that are being inserted can be read. */
  #inserting: Promise<void> = Promise.resolve()
  #timer: Timer | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a new upload.
   *
   * @param isShared whether other servers may get requests for it, so that its row is written at once
   */
  async insert(upload: StoredUpload, isShared = false): Promise<void> {
    if (upload.sizeBytes > SMALL_BYTES || isShared) {
      await this.#db.lazily(async () => insertRow(this.#db, 'uploads', rowOf(upload)))
      return
    }
    if (this.#new.size >= NEW_MAX) await this.writeRows()
    this.#new.set(upload.id, upload)
    this.#timer ??= setTimeout(() => void this.#writeLater(), WRITTEN_AFTER_MS).unref()
  }

  /** Writes the rows of new uploads. Those of users that were removed since are forgotten. */
  async writeRows(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const uploads = [...this.#new.values()]
    if (uploads.length > 0) await this.#insertAll(uploads)
    else await this.#inserting
  }

  /** Tries again later on a full disk: no request waits for these rows. */
  async #writeLater(): Promise<void> {
    this.#timer = undefined
    try {
      await this.writeRows()
    } catch {
      this.#timer = setTimeout(() => void this.#writeLater(), WRITTEN_AFTER_MS).unref()
    }
  }

  /** Inserts new uploads. From now on they are changed by their rows. @returns the ids of those whose user exists */
  #insertAll(uploads: readonly StoredUpload[]): Promise<Set<string>> {
    for (const { id } of uploads) this.#new.delete(id)
    const inserted = this.#db.lazily(async () => {
      const ids = new Set<string>()
      for (const upload of uploads) if (await this.#insertIfUserExists(upload)) ids.add(upload.id)
      return ids
    })
    const done = inserted.then(
      () => undefined,
      () => {
        for (const upload of uploads) this.#new.set(upload.id, upload)
      },
    )
    this.#inserting = Promise.all([this.#inserting, done]).then(() => undefined)
    return inserted
  }

  async find(id: string): Promise<StoredUpload | undefined> {
    const upload = this.#new.get(id)
    if (upload) return upload
    await this.#inserting
    const row = await this.#db
      .query<UploadRow, [string]>('SELECT * FROM uploads WHERE id = ?')
      .get(id)
    return row ? toUpload(row) : undefined
  }

  /** The user's newest upload to a path, whether finished or not. */
  async findByPath(
    root: string,
    userId: number,
    path: TreePath,
  ): Promise<StoredUpload | undefined> {
    const newest = [...this.#new.values()].findLast(
      (upload) => upload.path === path && upload.userId === userId && upload.root === root,
    )
    if (newest) return newest
    await this.#inserting
    const isAtPath = 'root = $root AND user_id = $userId AND path = $path'
    const row = await this.#db
      .query<UploadRow>(
        // With an order by the time, SQLite would sort all of them.
        `SELECT * FROM uploads WHERE ${isAtPath}
           AND created_ms = (SELECT max(created_ms) FROM uploads WHERE ${isAtPath}) LIMIT 1`,
      )
      .get({ root, userId, path })
    return row ? toUpload(row) : undefined
  }

  /** @param holder the request that must still use it, as in all methods below; undefined: any */
  async touch(id: string, touchedMs: number, holder?: string): Promise<void> {
    await this.#update(id, holder, 'touched_ms = ?', touchedMs)
  }

  /**
   * Stores that the publication of an upload begins.
   *
   * @param use the request that publishes it, and the name of its process
   * @returns false if the upload was removed since, with its user, or another one uses it now
   */
  async beginPublication(
    id: string,
    publication: Publication,
    { holder = '', writer = '' }: { holder?: string | undefined; writer?: string } = {},
  ): Promise<boolean> {
    const upload = this.#new.get(id)
    if (upload) {
      const begun = { ...upload, ...publication, hasPublicationBegun: true }
      return (await this.#insertAll([begun])).has(id)
    }
    const { touchedMs, session, published } = publication
    const sql = `UPDATE uploads SET handed_over = 1, touched_ms = $touchedMs, session = $session,
        published = $published
      WHERE id = $id AND (holder = $holder OR ($holder = '' AND substr(holder, 1, length($own)) = $own))`
    const values = { touchedMs, session, published, id, holder, own: `${writer}.` }
    return (await this.#db.lazily(() => this.#db.query(sql).run(values))).changes > 0
  }

  /** @returns undefined if there is no such upload */
  async leaseOf(id: string): Promise<StoredLease | undefined> {
    const upload = this.#new.get(id)
    if (upload) return { holder: upload.holder, isAsked: false }
    await this.#inserting
    return leaseOf(this.#db, id)
  }

  /** As `hold` of upload-leases.ts. */
  async hold(id: string, change: { holder: string; from: string }): Promise<boolean> {
    const upload = this.#new.get(id)
    if (!upload) return hold(this.#db, id, change)
    this.#new.set(id, { ...upload, holder: change.holder })
    return true
  }

  /** Asks a holder to stop. */
  async ask(id: string, holder: string): Promise<void> {
    await setAsked(this.#db, id, { holder, isAsked: true })
  }

  /** Confirms that a holder knows that it is asked to stop. */
  async confirm(id: string, holder: string): Promise<void> {
    await setAsked(this.#db, id, { holder, isAsked: false })
  }

  /** As `release` of upload-leases.ts. */
  async release(id: string, holder: string): Promise<void> {
    const upload = this.#new.get(id)
    if (upload) this.#new.set(id, { ...upload, holder: '' })
    else await release(this.#db, id, holder)
  }

  /** Stores which file an upload has published. */
  async setPublished(id: string, published: string, holder?: string): Promise<void> {
    await this.#update(id, holder, 'published = ?', published)
  }

  /** Stores that the publication of an upload failed. */
  async markUnpublished(id: string, holder?: string): Promise<void> {
    await this.#update(id, holder, 'handed_over = 0')
  }

  /** Resolves when the offset is on the disk. */
  async setUnverifiedFrom(id: string, offset: number | undefined, holder?: string): Promise<void> {
    await this.writeRows()
    return this.#db.withFiles(async () => {
      const query = this.#db.query(
        'UPDATE uploads SET unverified_from = ? WHERE id = ? AND holder = coalesce(?, holder)',
      )
      await query.run(offset ?? null, id, holder ?? null)
    })
  }

  /** The number of uploads whose publication has not started: the user's, and all. */
  async countUnfinished(userId: number): Promise<{ ofUser: number; all: number }> {
    await this.#inserting
    const counted = await this.#db
      .query<{ own: number; total: number }, [number]>(
        `SELECT count(*) FILTER (WHERE user_id = ?) AS own, count(*) AS total
         FROM uploads WHERE handed_over = 0`,
      )
      .get(userId)
    const isOwn = (upload: StoredUpload) => upload.userId === userId
    return {
      ofUser: (counted?.own ?? 0) + [...this.#new.values()].filter(isOwn).length,
      all: (counted?.total ?? 0) + this.#new.size,
    }
  }

  /**
   * Deletes the rows of the user's oldest published uploads. The newest `countMax` whose publication has begun are kept.
   *
   * @param isPublished returns false while the publication runs, and after one that a killed server did not finish
   */
  async removeFinished(
    userId: number,
    countMax: number,
    isPublished: (upload: StoredUpload) => boolean,
  ): Promise<void> {
    const query = this.#db.query<UploadRow, [number, number]>(
      `SELECT * FROM uploads WHERE user_id = ? AND handed_over = 1
       ORDER BY touched_ms DESC LIMIT ${UNLIMITED} OFFSET ?`,
    )
    const old = (await query.all(userId, countMax)).map(toUpload).filter(isPublished)
    const removal = this.#db.query('DELETE FROM uploads WHERE id = ?')
    await this.#db.lazily(async () => {
      for (const { id } of old) await removal.run(id)
    })
  }

  /** @returns false if there is none, or another request uses it */
  async remove(id: string, holder?: string): Promise<boolean> {
    if (this.#new.delete(id)) return true
    const query = this.#db.query(
      'DELETE FROM uploads WHERE id = ? AND holder = coalesce(?, holder)',
    )
    return (await this.#db.lazily(() => query.run(id, holder ?? null))).changes > 0
  }

  /** As `listUnfinished` of ended-uploads.ts. */
  async listUnfinished(
    root: string,
    userId: number | undefined,
    limit = UNLIMITED,
    id?: string,
  ): Promise<OwnedUpload[]> {
    await this.writeRows()
    return listUnfinished(this.#db, { root, userId, limit, id })
  }

  /** The unfinished uploads of all served folders, for the operator. */
  listAllUnfinished(): Promise<OwnedUpload[]> {
    return listUnfinished(this.#db, {
      root: '',
      userId: undefined,
      limit: UNLIMITED,
      id: undefined,
    })
  }

  async unfinishedIds(root: string): Promise<string[]> {
    return (await this.listUnfinished(root, undefined)).map(({ id }) => id)
  }

  /** As `declaredBytes` of ended-uploads.ts; a user may occur several times. */
  async declaredBytes(root: string): Promise<{ userId: number; bytes: number }[]> {
    await this.#inserting
    const stored = await declaredBytes(this.#db, root)
    const ofNew = [...this.#new.values()].filter((upload) => upload.root === root)
    return [...stored, ...ofNew.map(({ userId, sizeBytes }) => ({ userId, bytes: sizeBytes }))]
  }

  /** As of ended-uploads.ts. */
  takeEnded(root: string): Promise<string[]> {
    return this.#db.lazily(async () => takeEnded(this.#db, root))
  }

  async listByRoot(root: string): Promise<StoredUpload[]> {
    await this.writeRows()
    return (
      await this.#db.query<UploadRow, [string]>('SELECT * FROM uploads WHERE root = ?').all(root)
    ).map(toUpload)
  }

  async #insertIfUserExists(upload: StoredUpload): Promise<boolean> {
    try {
      await this.#db.lazily(() => insertRow(this.#db, 'uploads', rowOf(upload)))
      return true
    } catch (error) {
      if (!isUserGone(error)) throw error
      await insertRow(this.#db, 'ended_uploads', { root: upload.root, id: upload.id })
      return false
    }
  }

  /**
   * Changes the columns of one upload, which gets its row before.
   *
   * @param assignments the columns with their values; a `?` for each of `values`
   */
  async #update(
    id: string,
    holder: string | undefined,
    assignments: string,
    ...values: (number | string)[]
  ): Promise<void> {
    if (this.#new.has(id)) await this.writeRows()
    const query = this.#db.query(
      `UPDATE uploads SET ${assignments} WHERE id = ? AND holder = coalesce(?, holder)`,
    )
    await this.#db.lazily(() => query.run(...values, id, holder ?? null))
  }
}
