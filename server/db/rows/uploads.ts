/**
 * Uploads in parts: the unfinished ones, and the last finished ones of each user. The bytes are in the private folder.
 * Rows are written without a flush each; the write-ahead log keeps their order. The row of a new small upload is
 * written after a second, because most are complete by then, and their row is written once. A killed server forgets
 * uploads without a row; their clients start them again.
 */
import { type Database, SQLiteError } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'
import type { Commits } from '../commits.ts'
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
  readonly #commits: Commits
  /** Uploads without a row, by id. The oldest are first. */
  readonly #new = new Map<string, StoredUpload>()
  #timer: Timer | undefined

  constructor(db: Database, commits: Commits) {
    this.#db = db
    this.#commits = commits
  }

  /**
   * Adds a new upload.
   *
   * @param isShared whether other servers may get requests for it, so that its row is written at once
   */
  insert(upload: StoredUpload, isShared = false): void {
    if (upload.sizeBytes > SMALL_BYTES || isShared) {
      this.#commits.writeNow(() => insertRow(this.#db, 'uploads', rowOf(upload)))
      return
    }
    if (this.#new.size >= NEW_MAX) this.writeRows()
    this.#new.set(upload.id, upload)
    this.#timer ??= setTimeout(() => this.#writeLater(), WRITTEN_AFTER_MS).unref()
  }

  /** Writes the rows of new uploads. Those of users that were removed since are forgotten. */
  writeRows(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#new.size === 0) return
    this.#commits.writeNow(() => {
      for (const upload of this.#new.values()) this.#insertIfUserExists(upload)
    })
    this.#new.clear()
  }

  /** Tries again later on a full disk: no request waits for these rows. */
  #writeLater(): void {
    this.#timer = undefined
    try {
      this.writeRows()
    } catch {
      this.#timer = setTimeout(() => this.#writeLater(), WRITTEN_AFTER_MS).unref()
    }
  }

  find(id: string): StoredUpload | undefined {
    const upload = this.#new.get(id)
    if (upload) return upload
    const row = this.#db.query<UploadRow, [string]>('SELECT * FROM uploads WHERE id = ?').get(id)
    return row ? toUpload(row) : undefined
  }

  /** The user's newest upload to a path, whether finished or not. */
  findByPath(root: string, userId: number, path: TreePath): StoredUpload | undefined {
    const newest = [...this.#new.values()].findLast(
      (upload) => upload.path === path && upload.userId === userId && upload.root === root,
    )
    if (newest) return newest
    // The other columns are those of the row with the maximum. An order would take ten times as long.
    const row = this.#db
      .query<UploadRow & { newest: number | null }, [string, number, string]>(
        `SELECT *, max(created_ms) AS newest FROM uploads
         WHERE root = ? AND user_id = ? AND path = ?`,
      )
      .get(root, userId, path)
    return row && row.newest !== null ? toUpload(row) : undefined
  }

  touch(id: string, touchedMs: number): void {
    this.#update(id, 'touched_ms = ?', touchedMs)
  }

  /**
   * Stores that the publication of an upload begins.
   *
   * @param writer the name of the process that publishes it
   * @returns false if the upload was removed since, with its user, or another process uses it now
   */
  beginPublication(id: string, publication: Publication, writer = ''): boolean {
    const upload = this.#new.get(id)
    if (upload) return this.#insertNow({ ...upload, ...publication, hasPublicationBegun: true })
    const { touchedMs, session, published } = publication
    const sql = `UPDATE uploads SET handed_over = 1, touched_ms = $touchedMs, session = $session,
        published = $published
      WHERE id = $id AND (holder = '' OR holder GLOB $own)`
    const values = { touchedMs, session, published, id, own: `${writer}.*` }
    return this.#commits.writeNow(() => this.#db.query(sql).run(values)).changes > 0
  }

  /** @returns undefined if there is no such upload */
  leaseOf(id: string): StoredLease | undefined {
    const upload = this.#new.get(id)
    return upload ? { holder: upload.holder, isAsked: false } : leaseOf(this.#db, id)
  }

  /** As `hold` of upload-leases.ts. */
  hold(id: string, change: { holder: string; from: string }): boolean {
    const upload = this.#new.get(id)
    if (!upload) return hold(this.#db, this.#commits, id, change)
    this.#new.set(id, { ...upload, holder: change.holder })
    return true
  }

  /** Asks a holder to stop. */
  ask(id: string, holder: string): void {
    setAsked(this.#db, this.#commits, id, { holder, isAsked: true })
  }

  /** Confirms that a holder knows that it is asked to stop. */
  confirm(id: string, holder: string): void {
    setAsked(this.#db, this.#commits, id, { holder, isAsked: false })
  }

  /** As `release` of upload-leases.ts. */
  release(id: string, holder: string): void {
    const upload = this.#new.get(id)
    if (upload) this.#new.set(id, { ...upload, holder: '' })
    else release(this.#db, this.#commits, id, holder)
  }

  /** Stores which file an upload has published. */
  setPublished(id: string, published: string): Promise<void> {
    return this.#commits.lazily(() => {
      this.#db.query('UPDATE uploads SET published = ? WHERE id = ?').run(published, id)
    })
  }

  /** Stores that the publication of an upload failed. */
  markUnpublished(id: string): void {
    this.#update(id, 'handed_over = 0')
  }

  /** Resolves when the offset is on the disk. */
  setUnverifiedFrom(id: string, offset: number | undefined): Promise<void> {
    this.writeRows()
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
  removeFinished(
    userId: number,
    countMax: number,
    isPublished: (upload: StoredUpload) => boolean,
  ): void {
    const query = this.#db.query<UploadRow, [number, number]>(
      `SELECT * FROM uploads WHERE user_id = ? AND handed_over = 1
       ORDER BY touched_ms DESC LIMIT -1 OFFSET ?`,
    )
    const old = query.all(userId, countMax).map(toUpload).filter(isPublished)
    const removal = this.#db.query('DELETE FROM uploads WHERE id = ?')
    this.#commits.writeNow(() => {
      for (const { id } of old) removal.run(id)
    })
  }

  remove(id: string): void {
    if (this.#new.delete(id)) return
    this.#commits.writeNow(() => this.#db.query('DELETE FROM uploads WHERE id = ?').run(id))
  }

  /** As `listUnfinished` of ended-uploads.ts. */
  listUnfinished(
    root: string,
    userId: number | undefined,
    limit: number,
    id?: string,
  ): OwnedUpload[] {
    this.writeRows()
    return listUnfinished(this.#db, { root, userId, limit, id })
  }

  /** The unfinished uploads of all served folders, for the operator. */
  listAllUnfinished(): OwnedUpload[] {
    return listUnfinished(this.#db, { root: '', userId: undefined, limit: -1, id: undefined })
  }

  unfinishedIds(root: string): string[] {
    return this.listUnfinished(root, undefined, -1).map(({ id }) => id)
  }

  /** As `declaredBytes` of ended-uploads.ts; a user may occur several times. */
  declaredBytes(root: string): { userId: number; bytes: number }[] {
    const ofNew = [...this.#new.values()].filter((upload) => upload.root === root)
    return [
      ...declaredBytes(this.#db, root),
      ...ofNew.map(({ userId, sizeBytes }) => ({ userId, bytes: sizeBytes })),
    ]
  }

  /** As of ended-uploads.ts. */
  takeEnded(root: string): string[] {
    return this.#commits.writeNow(() => takeEnded(this.#db, root))
  }

  listByRoot(root: string): StoredUpload[] {
    this.writeRows()
    return this.#db
      .query<UploadRow, [string]>('SELECT * FROM uploads WHERE root = ?')
      .all(root)
      .map(toUpload)
  }

  #insertNow(upload: StoredUpload): boolean {
    const isInserted = this.#commits.writeNow(() => this.#insertIfUserExists(upload))
    this.#new.delete(upload.id)
    return isInserted
  }

  #insertIfUserExists(upload: StoredUpload): boolean {
    try {
      insertRow(this.#db, 'uploads', rowOf(upload))
      return true
    } catch (error) {
      const isUserGone =
        error instanceof SQLiteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
      if (!isUserGone) throw error
      insertRow(this.#db, 'ended_uploads', { root: upload.root, id: upload.id })
      return false
    }
  }

  /**
   * Changes the columns of one upload, which gets its row before.
   *
   * @param assignments the columns with their values; a `?` for each of `values`
   * @returns false if the upload was removed
   */
  #update(id: string, assignments: string, ...values: (number | string)[]): boolean {
    if (this.#new.has(id)) this.writeRows()
    const query = this.#db.query(`UPDATE uploads SET ${assignments} WHERE id = ?`)
    return this.#commits.writeNow(() => query.run(...values, id)).changes > 0
  }
}
