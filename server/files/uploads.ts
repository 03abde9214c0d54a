/**
 * Resumable uploads (tus 1.0). The address of an upload is its destination, as File Browser's
 * clients expect; bytes are staged out of sight and the finished file is published by one rename
 * (docs/decisions.md 10).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Server } from '@tus/server'
import type { Scope } from '#server/access/scope.ts'
import type { StoredUpload, UploadRows } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { finishedAnswer } from './finished-upload.ts'
import { isFull, NO_SPACE, type Room, StagedStore, type Writing, writing } from './staged-store.ts'
import { asAnswer, withoutRefusal } from './tus-refusals.ts'
import { refuseTooLarge, refuseTooMany } from './upload-limits.ts'
import { UploadLocks } from './upload-locks.ts'
import { lastModified, type UploadMetadata } from './upload-metadata.ts'

/** An upload that was silent for less than this still holds its name against a second one. */
const HOLDS_NAME_MS = 3 * 60_000
/** A finished upload answers HEAD for this long: its client may have missed the last answer. */
const REMEMBERS_FINISH_MS = 60 * 60_000
const CLEAN_EVERY_MS = 10 * 60_000

export interface UploadOptions {
  /** A folder on the served file system, out of everybody's sight. */
  folder: string
  /** The served folder on the disk: names this tree in the database. */
  root: string
  expiryMs: number
  /** Bytes; 0 is no limit. */
  limitBytes: number
  room?: Room
}

/** A new upload, as a request asks for it. */
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
  /** The upload each request is about; @tus/server asks for it by the request. */
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
      // A full disk breaks the request's own stream before the store can say what it means.
      onResponseError: (_, error) => (isFull(error) ? NO_SPACE : undefined),
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

  /** What this server can do, for OPTIONS. */
  discover(request: Request): Promise<Response> {
    return this.#tus.handleWeb(request)
  }

  /**
   * Accepts a new upload, and the first bytes when the request brings some. One of length zero is
   * complete at once.
   *
   * @returns the answer, and the upload as it was accepted
   * @throws Fault forbidden, conflict, isDirectory, tooLarge, noSpace, locked, tooMany, unavailable
   */
  async create(
    scope: Scope,
    wanted: NewUpload,
    request: Request,
    context: Partial<Writing> = {},
  ): Promise<{ response: Response; upload: StoredUpload }> {
    await scope.canWrite(wanted.path, wanted.overwrite)
    const { sizeBytes } = wanted
    refuseTooLarge(sizeBytes, this.#options.limitBytes, this.#store.fits(sizeBytes))
    const contested = this.#makeWay(scope.actor.id, wanted)
    refuseTooMany(this.#rows, scope.actor.id)
    const now = Date.now()
    const upload: StoredUpload = {
      ...wanted,
      id: randomBytes(16).toString('hex'),
      root: this.#options.root,
      userId: scope.actor.id,
      createdMs: now,
      touchedMs: now,
      contested,
      handedOver: false,
      unverifiedFrom: undefined,
    }
    this.#rows.insert(upload)
    return this.#locks.run(upload.id, async (next) => {
      try {
        const response = await this.#handle(upload, request, writingUntil(next, context))
        if (!response.ok) this.#drop(upload.id)
        else await this.#publishIfComplete(scope, upload.id)
        return { response, upload }
      } catch (error) {
        // The client never learns the address of this upload, so nobody can come back for it.
        this.#drop(upload.id)
        throw error
      }
    })
  }

  /**
   * HEAD, PATCH and DELETE of an unfinished upload. A request that is at work on it is ended first;
   * what it brought stays, as after a lost connection.
   *
   * @returns the answer, and which upload it was about
   * @param how.stop ends it where it is
   * @param id names one upload exactly; without it the person's upload to `path` is meant
   * @throws Fault notFound, locked (the address alone is ambiguous, or another request ended this
   *   one), tooLarge, and what publishing throws
   */
  async go(
    scope: Scope,
    path: TreePath,
    id: string | undefined,
    request: Request,
    context: Partial<Writing> = {},
  ): Promise<{ response: Response; upload: StoredUpload }> {
    const userId = scope.actor.id
    const meant = this.#find(userId, path, id)
    if (meant.contested && id === undefined && request.method === 'HEAD') {
      throw new Fault('locked', 'Another upload replaced this one. Start again.')
    }
    return this.#locks.run(meant.id, async (next) => {
      // Whoever was at work before may have finished or removed it.
      const upload = this.#find(userId, path, meant.id)
      if (request.method === 'HEAD') await this.#publishIfComplete(scope, upload.id)
      if (request.method !== 'DELETE' && this.#isPublished(upload.id)) {
        return { response: await finishedAnswer(upload, request), upload }
      }
      const response = await this.#handle(upload, request, writingUntil(next, context))
      if (request.method !== 'PATCH') return { response, upload }
      // With the account, or from the command line, it went while its bytes came.
      if (!this.#rows.find(upload.id)) throw noUpload()
      this.#rows.touch(upload.id, Date.now())
      if (response.ok) await this.#publishIfComplete(scope, upload.id)
      return { response, upload }
    })
  }

  /** Removes what nobody came back for, and what lost its row or its bytes. */
  clean(): void {
    const now = Date.now()
    const known = new Set<string>()
    for (const upload of this.#rows.listByRoot(this.#options.root)) {
      const keepMs = this.#isPublished(upload.id) ? REMEMBERS_FINISH_MS : this.#options.expiryMs
      const idle = now - upload.touchedMs > keepMs && !this.#locks.has(upload.id)
      if (idle) this.#drop(upload.id)
      else known.add(upload.id)
    }
    for (const name of readdirSync(this.#options.folder)) {
      if (known.has(name) || this.#rows.find(name)) continue
      // A database that knows nothing of it may be another one: only age condemns a file.
      const file = this.#store.fileOf(name)
      const mtimeMs = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now
      if (now - mtimeMs > this.#options.expiryMs) removeFile(file)
    }
  }

  /** @throws Fault for an answer that refuses; locked when another request ended this one; aborted */
  async #handle(upload: StoredUpload, request: Request, context: Writing): Promise<Response> {
    this.#ids.set(request, upload.id)
    const answer = await writing.run(context, () => this.#tus.handleWeb(request)).catch(asAnswer)
    if (answer.ok) return answer
    if (request.signal.aborted) throw new Fault('aborted', 'The request was cut off.')
    if (context.stop.aborted) {
      throw new Fault('locked', 'Another request is sending this upload.')
    }
    return withoutRefusal(answer)
  }

  #find(userId: number, path: TreePath, id: string | undefined): StoredUpload {
    const { root } = this.#options
    const upload = id ? this.#rows.find(id) : this.#rows.findByPath(root, userId, path)
    // An id leads to one's own uploads only, and only under the path it was given for.
    const own = upload?.userId === userId && upload.root === root && upload.path === path
    if (upload && own && (existsSync(this.#store.fileOf(upload.id)) || upload.handedOver)) {
      return upload
    }
    throw noUpload()
  }

  /** Publishes an upload of which every byte has come, and counts. */
  async #publishIfComplete(scope: Scope, id: string): Promise<void> {
    const upload = this.#rows.find(id)
    const file = this.#store.fileOf(id)
    if (!upload || upload.unverifiedFrom !== undefined || !existsSync(file)) return
    const { size, nlink } = statSync(file)
    // A killed server had published it: the file has its second name, and may have been changed since.
    if (upload.handedOver && nlink > 1) removeFile(file)
    else if (size === upload.sizeBytes) await this.#publish(scope, upload, file)
  }

  async #publish(scope: Scope, upload: StoredUpload, file: string): Promise<void> {
    // The entry of the journal that follows is flushed before the name, and this with it.
    this.#rows.setHandedOver(upload.id, true)
    try {
      const source = { ownedFile: file }
      const { overwrite, metadata } = upload
      await scope.write(upload.path, source, { overwrite, modifiedMs: lastModified(metadata) })
      const { finishedUploadsKept } = LIMITS
      await this.#rows.finish(upload.id, upload.userId, Date.now(), finishedUploadsKept)
    } catch (error) {
      // A command after the upload may fail when the file is in its place already.
      if (existsSync(file)) this.#rows.setHandedOver(upload.id, false)
      throw error
    }
  }

  /** All bytes were handed over and are staged no more: the file is in its place. */
  #isPublished(id: string): boolean {
    return this.#rows.find(id)?.handedOver === true && !existsSync(this.#store.fileOf(id))
  }

  /**
   * Ends the person's own earlier upload to the same path, if it may be ended.
   *
   * @returns whether an unfinished one was replaced, so that the path alone no longer tells them apart
   * @throws Fault locked, conflict
   */
  #makeWay(userId: number, { path, overwrite }: NewUpload): boolean {
    const earlier = this.#rows.findByPath(this.#options.root, userId, path)
    if (!earlier) return false
    if (this.#isPublished(earlier.id)) {
      this.#drop(earlier.id)
      return false
    }
    if (this.#locks.has(earlier.id)) {
      throw new Fault('locked', 'Another upload to this name is in progress.')
    }
    if (!overwrite && Date.now() - earlier.touchedMs < HOLDS_NAME_MS) {
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

/** Until another request wants the upload, or this one is stopped. */
function writingUntil(next: AbortSignal, { checksum, stop }: Partial<Writing>): Writing {
  return { checksum, stop: stop ? AbortSignal.any([next, stop]) : next }
}

function noUpload(): Fault {
  return new Fault('notFound', 'There is no unfinished upload here.')
}

/** Removes a staged file. A folder in its place was put there by somebody else, and is theirs. */
function removeFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  rmSync(file, { force: true })
}
