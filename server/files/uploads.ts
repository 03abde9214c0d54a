/**
 * Resumable uploads (tus 1.0). The address of an upload is its destination, as File Browser's clients expect; bytes
 * are staged and the finished file is published by one rename (docs/decisions.md 10).
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import type { Scope } from '#server/access/scope.ts'
import type { StoredUpload, UploadRows } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { appendToFinished } from './finished-upload.ts'
import { StagedStore, type TrashSpace, tooManyBytes, type UploadContent } from './staged-store.ts'
import { refuseTooLarge, refuseTooMany } from './upload-limits.ts'
import { UploadLocks } from './upload-locks.ts'
import type { UploadMetadata } from './upload-metadata.ts'
import { UploadPublisher } from './upload-publisher.ts'
import { noUpload, type UploadAddress, type UploadState } from './upload-state.ts'

/** An upload that was active within this time blocks a second one of the same name, unless that one overwrites. */
const NAME_HELD_MS = 3 * 60_000
/** A finished upload responds to HEAD for this long, because its client may have missed the last response. */
const FINISHED_KEPT_MS = 60 * 60_000
const CLEAN_EVERY_MS = 10 * 60_000

export interface UploadOptions {
  /** The folder of staged uploads, in the private folder of the served file system. */
  folder: string
  /** The path of the served folder on the disk; the database may hold uploads of several. */
  root: string
  expiryMs: number
  /** Bytes; 0 means no limit. */
  limitBytes: number
  /** The trash on the same disk, which can be deleted to make room; absent if there is none. */
  trash?: TrashSpace
}

/** A requested new upload. */
export interface NewUpload {
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  metadata: UploadMetadata
}

/** The content of a request without bytes. */
const NOTHING: UploadContent = {
  announcedBytes: 0,
  checksum: undefined,
  open: () => new Blob().stream(),
}

export class Uploads {
  readonly #rows: UploadRows
  readonly #options: UploadOptions
  readonly #store: StagedStore
  readonly #publisher: UploadPublisher
  readonly #locks = new UploadLocks()
  readonly #cleaner: Timer

  constructor(rows: UploadRows, options: UploadOptions) {
    this.#rows = rows
    this.#options = options
    this.#store = new StagedStore(options.folder, rows, options.trash)
    this.#publisher = new UploadPublisher(rows, this.#store)
    this.clean()
    this.#cleaner = setInterval(() => this.clean(), CLEAN_EVERY_MS)
    this.#cleaner.unref()
  }

  /** The largest size of a file in bytes; 0 means no limit. */
  get limitBytes(): number {
    return this.#options.limitBytes
  }

  close(): void {
    clearInterval(this.#cleaner)
    this.#rows.writeRows()
  }

  /**
   * Accepts a new upload, and its first bytes if the request has some. An upload of no bytes is complete at once.
   *
   * @throws Fault forbidden, readOnly, conflict (the name is taken), isDirectory, tooLarge, noSpace, locked (a request sends an
   *   upload to this path), tooMany (this user has too many unfinished uploads), unavailable (all users have);
   *   WrongChecksum; what publication throws
   */
  async create(scope: Scope, newUpload: NewUpload, content?: UploadContent): Promise<UploadState> {
    await scope.canWrite(newUpload.path, newUpload.overwrite)
    const { path, sizeBytes } = newUpload
    refuseTooLarge(sizeBytes, this.#options.limitBytes, this.#store.fits(sizeBytes))
    await scope.fill.requireRoom(path, sizeBytes)
    const isPathAmbiguous = this.#endOwnUpload(scope.actor.id, newUpload)
    refuseTooMany(this.#rows, scope.actor.id)
    const nowMs = Date.now()
    const upload: StoredUpload = {
      ...newUpload,
      id: randomBytes(16).toString('hex'),
      root: this.#options.root,
      userId: scope.actor.id,
      createdMs: nowMs,
      touchedMs: nowMs,
      isPathAmbiguous,
      hasPublicationBegun: false,
      unverifiedFrom: undefined,
    }
    this.#rows.insert(upload)
    const first = content ?? (sizeBytes === 0 ? NOTHING : undefined)
    if (!first) return this.#stateOf(upload, 0)
    return this.#locks.run(upload.id, async (takeover) => {
      try {
        return await this.#receive(scope, upload, 0, first, takeover)
      } catch (error) {
        // The client does not learn the address of this upload and cannot continue it.
        this.#drop(upload.id)
        throw error
      }
    })
  }

  /**
   * Appends the bytes of a request. The last byte publishes the file.
   *
   * @param offset where the client says that the bytes begin
   * @throws Fault notFound, expired, conflict (another offset), tooLarge (more bytes than declared), locked (another
   *   request took this upload over), noSpace; WrongChecksum; errors of the content; what publication throws
   */
  append(
    scope: Scope,
    address: UploadAddress,
    offset: number,
    content: UploadContent,
  ): Promise<UploadState> {
    return this.#alone(scope, address, async (upload, takeover) => {
      if (this.#publisher.isPublished(upload))
        return appendToFinished(upload, offset, content, takeover)
      this.#refuseExpired(upload)
      if (offset !== this.#store.offsetOf(upload)) {
        throw new Fault(
          'conflict',
          'The upload continues at another offset. A HEAD request returns it.',
        )
      }
      try {
        return await this.#receive(scope, upload, offset, content, takeover)
      } catch (error) {
        // The bytes before the failure are kept, and a long transfer was activity.
        this.#rows.touch(upload.id, Date.now())
        throw error
      }
    })
  }

  /**
   * Returns the state of an upload. If all bytes have arrived, the file is published.
   *
   * @throws Fault notFound, expired, locked (the path alone is ambiguous); what publication throws
   */
  state(scope: Scope, address: UploadAddress): Promise<UploadState> {
    if (address.id === undefined && this.#find(scope.actor.id, address).isPathAmbiguous) {
      throw new Fault('locked', 'Another upload replaced this one. Start the upload again.')
    }
    return this.#alone(scope, address, async (upload) => {
      const hasPublished = await this.#publisher.publishIfComplete(scope, upload)
      const current = this.#find(scope.actor.id, { path: address.path, id: upload.id })
      if (this.#publisher.isPublished(current))
        return this.#stateOf(current, current.sizeBytes, hasPublished)
      this.#refuseExpired(current)
      return this.#stateOf(current, this.#store.offsetOf(current))
    })
  }

  /** Removes an upload and its bytes. @throws Fault notFound */
  cancel(scope: Scope, address: UploadAddress): Promise<void> {
    return this.#alone(scope, address, async ({ id }) => this.#drop(id))
  }

  /** Deletes idle uploads, and old staged files that belong to no upload. */
  clean(): void {
    const nowMs = Date.now()
    const knownIds = new Set<string>()
    for (const upload of this.#rows.listByRoot(this.#options.root)) {
      const keepMs = this.#publisher.isPublished(upload) ? FINISHED_KEPT_MS : this.#options.expiryMs
      const isIdle = nowMs - upload.touchedMs > keepMs && !this.#locks.has(upload.id)
      if (isIdle) this.#drop(upload.id)
      else knownIds.add(upload.id)
    }
    for (const name of readdirSync(this.#options.folder)) {
      if (knownIds.has(name) || this.#rows.find(name)) continue
      // A file without a row may belong to another database, so only its age counts.
      const stats = lstatSync(this.#store.fileOf(name), { throwIfNoEntry: false })
      if (nowMs - (stats?.mtimeMs ?? nowMs) > this.#options.expiryMs) this.#store.remove(name)
    }
  }

  /**
   * Runs work on an upload of the user. A running request for the same upload is ended first. Its bytes are kept, unless
   * it is the request that created the upload.
   *
   * @throws Fault notFound
   */
  #alone<T>(
    scope: Scope,
    address: UploadAddress,
    work: (upload: StoredUpload, takeover: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const userId = scope.actor.id
    const { id } = this.#find(userId, address)
    return this.#locks.run(id, (takeover) =>
      // The earlier request may have finished or removed the upload.
      work(this.#find(userId, { path: address.path, id }), takeover),
    )
  }

  /**
   * Appends bytes, and publishes the file if they are the last ones.
   *
   * @param takeover aborted if another request takes this upload over
   */
  async #receive(
    scope: Scope,
    upload: StoredUpload,
    offset: number,
    content: UploadContent,
    takeover: AbortSignal,
  ): Promise<UploadState> {
    const { id, sizeBytes } = upload
    if (offset + (content.announcedBytes ?? 0) > sizeBytes) throw tooManyBytes()
    const end = await this.#store.append(upload, offset, content, takeover)
    // The upload may be deleted during the request, with the account or from the command line.
    const current = this.#rows.find(id)
    if (!current) throw noUpload()
    if (end < sizeBytes) return this.#touch(current, end)
    const hasPublished = await this.#publisher.publishIfComplete(scope, current)
    return this.#stateOf(current, end, hasPublished)
  }

  #touch(upload: StoredUpload, offset: number): UploadState {
    const touchedMs = Date.now()
    this.#rows.touch(upload.id, touchedMs)
    return this.#stateOf({ ...upload, touchedMs }, offset)
  }

  #stateOf(upload: StoredUpload, offset: number, hasPublished = false): UploadState {
    const expiresMs = offset === upload.sizeBytes ? undefined : this.#expiryOf(upload)
    return { upload, offset, expiresMs, hasPublished }
  }

  /** The expiry counts from the last activity. */
  #expiryOf({ touchedMs }: StoredUpload): number {
    return touchedMs + this.#options.expiryMs
  }

  /** @throws Fault expired */
  #refuseExpired(upload: StoredUpload): void {
    if (Date.now() > this.#expiryOf(upload)) {
      throw new Fault('expired', 'The upload has expired.')
    }
  }

  /** @throws Fault notFound */
  #find(userId: number, { path, id }: UploadAddress): StoredUpload {
    const { root } = this.#options
    const upload = id ? this.#rows.find(id) : this.#rows.findByPath(root, userId, path)
    // An id is valid only for the user's own uploads and for the path it was issued for.
    const isOwn = upload?.userId === userId && upload.root === root && upload.path === path
    if (upload && isOwn) return upload
    throw noUpload()
  }

  /**
   * Ends the user's own earlier upload to the same path, if that is allowed.
   *
   * @returns whether an unfinished one was replaced, so that the path alone is ambiguous
   * @throws Fault locked (a request is sending it), conflict (it was active within `NAME_HELD_MS`, and the new one does
   *   not overwrite)
   */
  #endOwnUpload(userId: number, { path, overwrite }: NewUpload): boolean {
    const earlier = this.#rows.findByPath(this.#options.root, userId, path)
    if (!earlier) return false
    if (this.#publisher.isPublished(earlier)) {
      this.#drop(earlier.id)
      return false
    }
    if (this.#locks.has(earlier.id)) {
      throw new Fault('locked', 'Another upload to this name is in progress.')
    }
    if (!overwrite && Date.now() - earlier.touchedMs < NAME_HELD_MS) {
      throw new Fault('conflict', 'Another upload to this name has just started.')
    }
    this.#drop(earlier.id)
    return true
  }

  #drop(id: string): void {
    this.#store.remove(id)
    this.#rows.remove(id)
  }
}
