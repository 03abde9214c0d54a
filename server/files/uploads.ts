/**
 * Resumable uploads (tus 1.0). The address of an upload is its destination, as File Browser's clients expect; bytes
 * are staged and the finished file is published by one rename (docs/decisions.md 10).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Server } from '@tus/server'
import type { Scope } from '#server/access/scope.ts'
import type { StoredUpload, UploadRows } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { finishedResponse } from './finished-upload.ts'
import {
  isDiskFull,
  NO_SPACE,
  StagedStore,
  type TrashSpace,
  type WriteContext,
  writeContext,
} from './staged-store.ts'
import { asResponse, throwIfRefused } from './tus-refusals.ts'
import { refuseTooLarge, refuseTooMany } from './upload-limits.ts'
import { UploadLocks } from './upload-locks.ts'
import { lastModified, type UploadMetadata } from './upload-metadata.ts'

/** An upload that was active within this time blocks a second one of the same name. */
const NAME_HELD_MS = 3 * 60_000
/** A finished upload responds to HEAD for this long, because its client may have missed the last response. */
const FINISHED_KEPT_MS = 60 * 60_000
const CLEAN_EVERY_MS = 10 * 60_000

export interface UploadOptions {
  /** A hidden folder on the served file system. */
  folder: string
  /** The path of the served folder on the disk; the database may hold uploads of several. */
  root: string
  expiryMs: number
  /** Bytes; 0 means no limit. */
  limitBytes: number
  /** The trash on the same disk, which can be deleted to make room; absent if there is none. */
  room?: TrashSpace
}

/** A requested new upload. */
export interface NewUpload {
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  metadata: UploadMetadata
}

export class Uploads {
  readonly #rows: UploadRows
  readonly #options: UploadOptions
  readonly #store: StagedStore
  readonly #tus: Server
  /** Request → id of its upload, for the callbacks of @tus/server. */
  readonly #ids = new WeakMap<object, string>()
  readonly #locks = new UploadLocks()
  readonly #cleaner: Timer

  constructor(rows: UploadRows, options: UploadOptions) {
    this.#rows = rows
    this.#options = options
    this.#store = new StagedStore(options.folder, rows, options.expiryMs, options.room)
    this.#tus = new Server({
      path: '/',
      datastore: this.#store,
      maxSize: options.limitBytes,
      allowedOrigins: () => false,
      // On a full disk the request's stream fails before the store can report the reason.
      onResponseError: (_, error) => (isDiskFull(error) ? NO_SPACE : undefined),
      generateUrl: (request) => this.#ids.get(request) ?? '',
      getFileIdFromRequest: (request) => this.#ids.get(request),
      namingFunction: (request) => this.#ids.get(request) ?? '',
    })
    this.clean()
    this.#cleaner = setInterval(() => this.clean(), CLEAN_EVERY_MS)
    this.#cleaner.unref()
  }

  close(): void {
    clearInterval(this.#cleaner)
  }

  /** The server's capabilities, for OPTIONS. */
  discover(request: Request): Promise<Response> {
    return this.#tus.handleWeb(request)
  }

  /**
   * Accepts a new upload, and its first bytes if the request has some. An upload of no bytes is complete at once.
   *
   * @returns the response, and the accepted upload
   * @throws Fault forbidden, conflict (the name is taken), isDirectory, tooLarge, noSpace, locked (a request sends an
   *   upload to this path), tooMany (this user has too many unfinished uploads), unavailable (all users have)
   */
  async create(
    scope: Scope,
    newUpload: NewUpload,
    request: Request,
    context: Partial<WriteContext> = {},
  ): Promise<{ response: Response; upload: StoredUpload }> {
    await scope.canWrite(newUpload.path, newUpload.overwrite)
    const { path, sizeBytes } = newUpload
    refuseTooLarge(sizeBytes, this.#options.limitBytes, this.#store.fits(sizeBytes))
    await scope.fill.requireRoom(path, sizeBytes)
    const contested = this.#endOwnUpload(scope.actor.id, newUpload)
    refuseTooMany(this.#rows, scope.actor.id)
    const nowMs = Date.now()
    const upload: StoredUpload = {
      ...newUpload,
      id: randomBytes(16).toString('hex'),
      root: this.#options.root,
      userId: scope.actor.id,
      createdMs: nowMs,
      touchedMs: nowMs,
      contested,
      handedOver: false,
      unverifiedFrom: undefined,
    }
    this.#rows.insert(upload)
    return this.#locks.run(upload.id, async (takeover) => {
      try {
        const response = await this.#handle(upload, request, writingUntil(takeover, context))
        if (!response.ok) this.#drop(upload.id)
        else await this.#publishIfComplete(scope, upload.id)
        return { response, upload }
      } catch (error) {
        // The client does not learn the address of this upload and cannot continue it.
        this.#drop(upload.id)
        throw error
      }
    })
  }

  /**
   * Handles HEAD, PATCH and DELETE of an upload. A running request for the same upload is ended first; its bytes
   * are kept.
   *
   * @param id identifies the upload; without it the user's upload to `path` is meant
   * @param context.stop aborts the request
   * @returns the response, and the upload
   * @throws Fault notFound, locked (the path alone is ambiguous, or another request took this upload over),
   *   tooLarge, and what publication throws
   */
  async handle(
    scope: Scope,
    path: TreePath,
    id: string | undefined,
    request: Request,
    context: Partial<WriteContext> = {},
  ): Promise<{ response: Response; upload: StoredUpload }> {
    const userId = scope.actor.id
    const requested = this.#find(userId, path, id)
    if (requested.contested && id === undefined && request.method === 'HEAD') {
      throw new Fault('locked', 'Another upload replaced this one. Start the upload again.')
    }
    return this.#locks.run(requested.id, async (takeover) => {
      // The earlier request may have finished or removed the upload.
      const upload = this.#find(userId, path, requested.id)
      if (request.method === 'HEAD') await this.#publishIfComplete(scope, upload.id)
      if (request.method !== 'DELETE' && this.#isPublished(upload.id)) {
        return { response: await finishedResponse(upload, request), upload }
      }
      const response = await this.#handle(upload, request, writingUntil(takeover, context))
      if (request.method !== 'PATCH') return { response, upload }
      // The upload was deleted during the request, with the account or from the command line.
      if (!this.#rows.find(upload.id)) throw noUpload()
      this.#rows.touch(upload.id, Date.now())
      if (response.ok) await this.#publishIfComplete(scope, upload.id)
      return { response, upload }
    })
  }

  /** Deletes idle uploads, and old staged files that belong to no upload. */
  clean(): void {
    const nowMs = Date.now()
    const knownIds = new Set<string>()
    for (const upload of this.#rows.listByRoot(this.#options.root)) {
      const keepMs = this.#isPublished(upload.id) ? FINISHED_KEPT_MS : this.#options.expiryMs
      const isIdle = nowMs - upload.touchedMs > keepMs && !this.#locks.has(upload.id)
      if (isIdle) this.#drop(upload.id)
      else knownIds.add(upload.id)
    }
    for (const name of readdirSync(this.#options.folder)) {
      if (knownIds.has(name) || this.#rows.find(name)) continue
      // A file without a row may belong to another database, so only its age counts.
      const file = this.#store.fileOf(name)
      const mtimeMs = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
      if (nowMs - mtimeMs > this.#options.expiryMs) removeFile(file)
    }
  }

  /** @throws Fault locked (another request took the upload over), aborted, and that of an error response */
  async #handle(upload: StoredUpload, request: Request, context: WriteContext): Promise<Response> {
    this.#ids.set(request, upload.id)
    const response = await writeContext
      .run(context, () => this.#tus.handleWeb(request))
      .catch(asResponse)
    if (response.ok) return response
    if (request.signal.aborted)
      throw new Fault('aborted', 'The request ended before all of it arrived. Send it again.')
    if (context.stop.aborted) {
      throw new Fault('locked', 'Another request is sending this upload.')
    }
    return throwIfRefused(response)
  }

  #find(userId: number, path: TreePath, id: string | undefined): StoredUpload {
    const { root } = this.#options
    const upload = id ? this.#rows.find(id) : this.#rows.findByPath(root, userId, path)
    // An id is valid only for the user's own uploads and for the path it was issued for.
    const isOwn = upload?.userId === userId && upload.root === root && upload.path === path
    if (upload && isOwn && (existsSync(this.#store.fileOf(upload.id)) || upload.handedOver)) {
      return upload
    }
    throw noUpload()
  }

  /** Publishes an upload if all its bytes have arrived and count. */
  async #publishIfComplete(scope: Scope, id: string): Promise<void> {
    const upload = this.#rows.find(id)
    const file = this.#store.fileOf(id)
    if (!upload || upload.unverifiedFrom !== undefined || !existsSync(file)) return
    const { size, nlink } = statSync(file)
    // The upload was published before a crash: the staged file has a second name, and may have been changed since.
    if (upload.handedOver && nlink > 1) removeFile(file)
    else if (size === upload.sizeBytes) await this.#publish(scope, upload, file)
  }

  async #publish(scope: Scope, upload: StoredUpload, file: string): Promise<void> {
    // The row is flushed together with the journal entry, before the name changes.
    this.#rows.setHandedOver(upload.id, true)
    try {
      const source = { ownedFile: file }
      const { overwrite, metadata } = upload
      await scope.write(upload.path, source, { overwrite, modifiedMs: lastModified(metadata) })
      const { finishedUploadsKept } = LIMITS
      await this.#rows.finish(upload.id, upload.userId, Date.now(), finishedUploadsKept)
    } catch (error) {
      // A command after the upload may fail although the file is published.
      if (existsSync(file)) this.#rows.setHandedOver(upload.id, false)
      throw error
    }
  }

  /** Whether all bytes have arrived and are no longer staged, so that the file is published. */
  #isPublished(id: string): boolean {
    return this.#rows.find(id)?.handedOver === true && !existsSync(this.#store.fileOf(id))
  }

  /**
   * Ends the user's own earlier upload to the same path, if that is allowed.
   *
   * @returns whether an unfinished one was replaced, so that the path alone is ambiguous
   * @throws Fault locked (a request is sending it), conflict (it was active within `NAME_HELD_MS`)
   */
  #endOwnUpload(userId: number, { path, overwrite }: NewUpload): boolean {
    const earlier = this.#rows.findByPath(this.#options.root, userId, path)
    if (!earlier) return false
    if (this.#isPublished(earlier.id)) {
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
    removeFile(this.#store.fileOf(id))
    this.#rows.remove(id)
  }
}

/** The context is valid until another request takes over the upload, or this one is stopped. */
function writingUntil(
  takeover: AbortSignal,
  { checksum, stop, received }: Partial<WriteContext>,
): WriteContext {
  return { checksum, received, stop: stop ? AbortSignal.any([takeover, stop]) : takeover }
}

function noUpload(): Fault {
  return new Fault('notFound', 'There is no unfinished upload to this path.')
}

/** Removes a staged file. A folder of that name was created by someone else and is kept. */
function removeFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(file, { force: true })
}
