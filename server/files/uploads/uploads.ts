/**
 * Resumable uploads (tus 1.0). The address of an upload is its destination, as File Browser's clients expect; bytes
 * are staged and the finished file is published by one rename (docs/decisions.md 10).
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import type { Scope } from '#server/access/scope/scope.ts'
import { ALONE, type Peers, peersInFolder } from '#server/cluster/peers.ts'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { OneAtATime } from '#server/lib/one-at-a-time.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { appendToFinished, requirePublished } from './finished-upload.ts'
import { NO_CONTENT, StagedStore, tooManyBytes, type UploadContent } from './staged-store.ts'
import { UnfinishedUploads } from './unfinished-uploads.ts'
import { UploadFinder } from './upload-finder.ts'
import { UploadLeases, type UploadUse } from './upload-leases.ts'
import { expiryMsOf, refuseExpired, refuseTooLarge, refuseTooMany } from './upload-limits.ts'
import { UploadLocks } from './upload-locks.ts'
import type { UploadOptions } from './upload-options.ts'
import { UploadPublisher } from './upload-publisher.ts'
import {
  type NewUpload,
  noUpload,
  type PublishedFile,
  type UploadAddress,
  type UploadState,
} from './upload-state.ts'

/** An upload that was active within this time blocks a second one of the same name, unless that one overwrites. */
const NAME_HELD_MS = 3 * 60_000
/** A finished upload responds to HEAD for this long (`requirePublished`): its client may have missed the last response. */
const FINISHED_KEPT_MS = 60 * 60_000
const CLEAN_EVERY_MS = 10 * 60_000

/** What a request may use while no other one uses the same upload. */
interface Turn {
  upload: StoredUpload
  /** The published file, if the upload is finished. */
  file: Node | undefined
  use: UploadUse
}

export class Uploads {
  readonly #rows: UploadRows
  readonly #options: UploadOptions
  readonly #store: StagedStore
  readonly #publisher: UploadPublisher
  readonly #finder: UploadFinder
  readonly #peers: Peers
  readonly #leases: UploadLeases
  readonly #locks: UploadLocks
  readonly #cleaner: Timer
  /** New uploads are stored one after the other, so that two requests cannot pass one limit. */
  readonly #creations = new OneAtATime()
  /** The list of unfinished uploads. */
  readonly unfinished: UnfinishedUploads

  /** Removes what an earlier process has left, then and every few minutes. */
  static async open(rows: UploadRows, options: UploadOptions): Promise<Uploads> {
    const uploads = new Uploads(rows, options)
    await uploads.clean()
    return uploads
  }

  private constructor(rows: UploadRows, options: UploadOptions) {
    this.#rows = rows
    this.#options = options
    this.#store = new StagedStore(options.folder, rows, options)
    this.#peers = options.peers ?? peersInFolder(ALONE)
    this.#leases = new UploadLeases(rows, (...use) => this.#store.separate(...use), this.#peers)
    this.#locks = new UploadLocks(this.#leases)
    this.#publisher = new UploadPublisher(rows, this.#store, () => this.#peers.writer)
    this.#finder = new UploadFinder(rows, this.#publisher, options.root)
    this.unfinished = new UnfinishedUploads(rows, options)
    // A failure is ignored: the next call does the same work.
    this.#cleaner = setInterval(
      () =>
        void this.unfinished
          .diskAnswers()
          .then(() => this.clean())
          .catch(() => undefined),
      CLEAN_EVERY_MS,
    )
    this.#cleaner.unref()
  }

  /** The largest size of a file in bytes; 0 means no limit. */
  get limitBytes(): number {
    return this.#options.limitBytes
  }

  async close(): Promise<void> {
    clearInterval(this.#cleaner)
    this.unfinished.close()
    await this.#rows.writeRows()
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
    const userId = scope.actor.id
    refuseTooLarge(sizeBytes, this.#options.limitBytes)
    await scope.fill.receive(async () =>
      this.unfinished.requireRoom(newUpload, userId, await this.#store.availableBytes(userId)),
    )
    await scope.fill.requireRoom(path, sizeBytes)
    const upload = await this.#creations.run(() => this.#insert(userId, newUpload))
    const first = content ?? (sizeBytes === 0 ? NO_CONTENT : undefined)
    if (!first) return this.#stateOf(upload, 0)
    const receive = async (use: UploadUse) => {
      try {
        return await this.#receive(scope, upload, 0, first, use)
      } catch (error) {
        // The client does not learn the address of this upload and cannot continue it.
        await this.#drop(upload.id, use.holder)
        throw error
      }
    }
    return this.#locks.run(upload.id, receive, { isLong: true })
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
    const receive = async ({ upload, file, use }: Turn) => {
      if (file) return appendToFinished(upload, offset, content, use.stop)
      refuseExpired(upload, this.#options.expiryMs)
      if (offset !== this.#store.offsetOf(upload)) {
        throw new Fault(
          'conflict',
          'The upload continues at another offset. A HEAD request returns it.',
        )
      }
      try {
        const { session } = address
        return await this.#receive(scope, { ...upload, session }, offset, content, use)
      } catch (error) {
        // The bytes before the failure are kept, and a long transfer was activity.
        await this.#rows.touch(upload.id, Date.now(), use.holder)
        throw error
      }
    }
    return this.#alone(scope, address, receive, { isLong: true })
  }

  /**
   * Returns the state of an upload. If all bytes have arrived, the file is published.
   *
   * @throws Fault notFound, expired, locked (the path alone is ambiguous); what publication throws
   */
  async state(scope: Scope, address: UploadAddress): Promise<UploadState> {
    await this.#finder.refuseAmbiguous(scope.actor.id, address)
    return this.#alone(scope, address, async ({ upload, file, use }) => {
      const { id, sizeBytes } = upload
      if (file) return this.#stateOf(upload, sizeBytes, { version: file.version })
      const { path, session } = address
      const own = { ...upload, session }
      const published = await this.#publisher.publishIfComplete(scope, own, use)
      const current = await this.#finder.get(scope.actor.id, { path, id })
      if (published.hasPublished) {
        // If a killed server has published the file, it may have changed since.
        const known = published.version
          ? published
          : await requirePublished(scope, current, address)
        return this.#stateOf(current, sizeBytes, { hasPublished: true, version: known.version })
      }
      refuseExpired(current, this.#options.expiryMs)
      return this.#stateOf(current, this.#store.offsetOf(current))
    })
  }

  /**
   * @param state of an unfinished upload
   * @returns the CRC-32 of the bytes that have arrived
   * @throws Fault notFound if it has ended since
   */
  crc32Of({ upload, offset }: UploadState): Promise<number> {
    return this.#store.crc32Of(upload, offset)
  }

  /** Stores a new upload, which replaces an earlier one to the same path. @throws as `create` */
  async #insert(userId: number, newUpload: NewUpload): Promise<StoredUpload> {
    const isPathAmbiguous = await this.#endOwnUpload(userId, newUpload)
    await refuseTooMany(this.#rows, userId)
    const nowMs = Date.now()
    const upload: StoredUpload = {
      ...newUpload,
      id: randomBytes(16).toString('hex'),
      root: this.#options.root,
      userId,
      createdMs: nowMs,
      touchedMs: nowMs,
      isPathAmbiguous,
      hasPublicationBegun: false,
      unverifiedFrom: undefined,
      published: '',
      holder: '',
    }
    await this.#rows.insert(upload, this.#leases.isShared())
    return upload
  }

  /** Removes an upload and its bytes. @throws Fault notFound */
  cancel(scope: Scope, address: UploadAddress): Promise<void> {
    return this.#alone(scope, address, async ({ upload, use }) => this.#drop(upload.id, use.holder))
  }

  /** Deletes idle uploads, and old staged files that belong to no upload. */
  async clean(): Promise<void> {
    await this.unfinished.removeEnded()
    if (!(await this.#peers.isMaintainer())) return
    const nowMs = this.#options.nowMs?.() ?? Date.now()
    const knownIds = new Set<string>()
    for (const upload of await this.#rows.listByRoot(this.#options.root)) {
      const keepMs = this.#publisher.isPublished(upload) ? FINISHED_KEPT_MS : this.#options.expiryMs
      const isIdle = nowMs - upload.touchedMs > keepMs && !(await this.#locks.has(upload.id))
      if (isIdle) await this.#drop(upload.id, upload.holder)
      else knownIds.add(upload.id)
    }
    for (const name of readdirSync(this.#options.folder)) {
      if (knownIds.has(name) || (await this.#rows.find(name))) continue
      // A file without a row may belong to another database, so only its age counts.
      const stats = lstatSync(this.#store.fileOf(name), { throwIfNoEntry: false })
      if (nowMs - (stats?.mtimeMs ?? nowMs) > this.#options.expiryMs) this.#store.remove(name)
    }
  }

  /**
   * Runs work on an upload of the user. A running request for the same upload is ended first. Its bytes are kept, unless
   * it is the request that created the upload.
   *
   * @throws Fault notFound (also if the upload is finished, and not the request's own or no longer there)
   */
  async #alone<T>(
    scope: Scope,
    address: UploadAddress,
    work: (turn: Turn) => Promise<T>,
    options?: { isLong: boolean },
  ): Promise<T> {
    await this.unfinished.diskAnswers()
    const userId = scope.actor.id
    const { id } = await this.#finder.get(userId, address)
    const runTurn = async (use: UploadUse) => {
      // The earlier request may have finished or removed the upload.
      const upload = await this.#finder.get(userId, { path: address.path, id })
      const isPublished = this.#publisher.isPublished(upload)
      const file = isPublished ? await requirePublished(scope, upload, address) : undefined
      return work({ upload, file, use })
    }
    return this.#locks.run(id, runTurn, options)
  }

  /**
   * Appends bytes, and publishes the file if they are the last ones.
   *
   * @param use of the upload by this request
   */
  async #receive(
    scope: Scope,
    upload: StoredUpload,
    offset: number,
    content: UploadContent,
    use: UploadUse,
  ): Promise<UploadState> {
    const { id, sizeBytes } = upload
    if (offset + (content.announcedBytes ?? 0) > sizeBytes) throw tooManyBytes()
    const end = await scope.fill.receive(() => this.#store.append(upload, offset, content, use))
    // The upload may be deleted during the request, with the account or from the command line.
    const current = await this.#rows.find(id)
    if (!current) throw noUpload()
    if (end < sizeBytes) return this.#touch(current, end, use)
    const { session } = upload
    const own = { ...current, session }
    const published = await this.#publisher.publishIfComplete(scope, own, use)
    return this.#stateOf(current, end, published)
  }

  async #touch(upload: StoredUpload, offset: number, { holder }: UploadUse): Promise<UploadState> {
    const touchedMs = Date.now()
    await this.#rows.touch(upload.id, touchedMs, holder)
    return this.#stateOf({ ...upload, touchedMs }, offset)
  }

  #stateOf(upload: StoredUpload, offset: number, file: Partial<PublishedFile> = {}): UploadState {
    const expiresMs =
      offset === upload.sizeBytes ? undefined : expiryMsOf(upload, this.#options.expiryMs)
    const { hasPublished = false, version } = file
    return { upload, offset, expiresMs, hasPublished, version }
  }

  /**
   * Ends the user's own earlier upload to the same path, if that is allowed.
   *
   * @returns whether an unfinished one was replaced, so that the path alone is ambiguous
   * @throws Fault locked (a request is sending it), conflict (it was active within `NAME_HELD_MS`, and the new one does
   *   not overwrite)
   */
  async #endOwnUpload(userId: number, { path, overwrite }: NewUpload): Promise<boolean> {
    const earlier = await this.#rows.findByPath(this.#options.root, userId, path)
    if (!earlier) return false
    if (this.#publisher.isPublished(earlier)) {
      await this.#drop(earlier.id)
      return false
    }
    if (await this.#locks.has(earlier.id)) {
      throw new Fault('locked', 'Another upload to this name is in progress.')
    }
    if (!overwrite && Date.now() - earlier.touchedMs < NAME_HELD_MS) {
      throw new Fault('conflict', 'Another upload to this name has just started.')
    }
    await this.#drop(earlier.id)
    return true
  }

  /** @param holder the request that uses it; if another one does now, nothing is removed. Undefined: any */
  async #drop(id: string, holder?: string): Promise<void> {
    // Without its row, no other request finds the upload any more.
    if (await this.#rows.remove(id, holder)) this.#store.remove(id)
  }
}
