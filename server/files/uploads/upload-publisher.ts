/** Publishes uploads whose bytes have all arrived. */
import { existsSync, type Stats, statSync } from 'node:fs'
import type { Scope } from '#server/access/scope/scope.ts'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import { markOfStaged } from './finished-upload.ts'
import type { StagedStore } from './staged-store.ts'
import type { UploadUse } from './upload-leases.ts'
import { lastModified } from './upload-metadata.ts'
import { noUpload, type PublishedFile } from './upload-state.ts'

/** After so many uploads the rows of the oldest finished ones are deleted; after each upload it would take too long. */
const FORGET_EVERY = 100
/** If a publication takes longer, for example a copy to another disk, its time is stored again at its end. */
const SLOW_MS = 10_000

const UNPUBLISHED: PublishedFile = { hasPublished: false, version: undefined }

export class UploadPublisher {
  readonly #rows: UploadRows
  readonly #store: StagedStore
  readonly #writer: () => string
  #finishedCount = 0

  /** @param writer returns the name of this process */
  constructor(rows: UploadRows, store: StagedStore, writer: () => string) {
    this.#writer = writer
    this.#rows = rows
    this.#store = store
  }

  /** Whether all bytes have arrived and are no longer staged, so that the file is published. */
  isPublished({ id, hasPublicationBegun }: StoredUpload): boolean {
    return hasPublicationBegun && !existsSync(this.#store.fileOf(id))
  }

  /**
   * Publishes an upload if all its bytes have arrived and are verified.
   *
   * @param use of the upload by this request
   * @returns the version is undefined if a server that was killed had published the file
   * @throws Fault notFound (the upload was removed since); as `Scope.write`. The upload then stays unfinished, unless
   *   only a command after the upload failed: then the file is published.
   */
  async publishIfComplete(
    scope: Scope,
    upload: StoredUpload,
    use: UploadUse,
  ): Promise<PublishedFile> {
    await use.requireOwn()
    const stats = statSync(this.#store.fileOf(upload.id), { throwIfNoEntry: false })
    if (upload.unverifiedFrom !== undefined || !stats) return UNPUBLISHED
    // The upload was published before a crash, which ended its request: the staged file has a second name, and may have
    // been changed since.
    if (upload.hasPublicationBegun && stats.nlink > 1) {
      this.#store.remove(upload.id)
      return { hasPublished: true, version: undefined }
    }
    if (stats.size !== upload.sizeBytes) return UNPUBLISHED
    return { hasPublished: true, version: await this.#publish(scope, upload, stats, use) }
  }

  /** @returns `Node.version` of the file */
  async #publish(
    scope: Scope,
    upload: StoredUpload,
    stats: Stats,
    { holder }: UploadUse,
  ): Promise<string> {
    const { id, path, overwrite, session } = upload
    const modifiedMs = lastModified(upload.metadata)
    const file = this.#store.fileOf(id)
    const startMs = Date.now()
    const published = markOfStaged(stats, modifiedMs)
    const publication = { touchedMs: startMs, session, published }
    // The row is flushed together with the journal entry, before the name changes.
    const by = { holder, writer: this.#writer() }
    if (!(await this.#rows.beginPublication(id, publication, by))) throw noUpload()
    let node: Node
    try {
      node = await scope.write(path, { ownedFile: file }, { overwrite, modifiedMs })
    } catch (error) {
      // A command after the upload may fail although the file is published.
      if (existsSync(file)) await this.#rows.markUnpublished(id, holder)
      throw error
    }
    // The file is published. If its version cannot be stored, the mark of the staged file identifies it.
    await this.#rows.setPublished(id, node.version, holder).catch(() => undefined)
    await this.#forgetOld(id, upload.userId, startMs)
    return node.version
  }

  /** Deletes the rows of the oldest finished uploads now and then. */
  async #forgetOld(id: string, userId: number, startMs: number): Promise<void> {
    const endMs = Date.now()
    if (endMs - startMs > SLOW_MS) await this.#rows.touch(id, endMs)
    this.#finishedCount += 1
    if (this.#finishedCount % FORGET_EVERY > 0) return
    await this.#rows.removeFinished(userId, SERVER_LIMITS.finishedUploadsKept, (one) =>
      this.isPublished(one),
    )
  }
}
