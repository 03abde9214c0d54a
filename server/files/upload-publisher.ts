/** Publishes uploads whose bytes have all arrived. */
import { existsSync, statSync } from 'node:fs'
import type { Scope } from '#server/access/scope.ts'
import type { StoredUpload, UploadRows } from '#server/db/uploads.ts'
import { LIMITS } from '#wire/limits.ts'
import type { StagedStore } from './staged-store.ts'
import { lastModified } from './upload-metadata.ts'
import { noUpload } from './upload-state.ts'

/** After so many uploads the rows of the oldest finished ones are deleted; after each upload it would take too long. */
const FORGET_EVERY = 100
/** If a publication takes longer, for example a copy to another disk, its time is stored again at its end. */
const SLOW_MS = 10_000

export class UploadPublisher {
  readonly #rows: UploadRows
  readonly #store: StagedStore
  #finishedCount = 0

  constructor(rows: UploadRows, store: StagedStore) {
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
   * @returns whether it is published now, and was not before
   * @throws Fault notFound (the upload was removed since); as `Scope.write`. The upload then stays unfinished, unless
   *   only a command after the upload failed: then the file is published.
   */
  async publishIfComplete(scope: Scope, upload: StoredUpload): Promise<boolean> {
    const stats = statSync(this.#store.fileOf(upload.id), { throwIfNoEntry: false })
    if (upload.unverifiedFrom !== undefined || !stats) return false
    // The upload was published before a crash, which ended its request: the staged file has a second name, and may have
    // been changed since.
    if (upload.hasPublicationBegun && stats.nlink > 1) this.#store.remove(upload.id)
    else if (stats.size === upload.sizeBytes) await this.#publish(scope, upload)
    else return false
    return true
  }

  async #publish(
    scope: Scope,
    { id, userId, path, overwrite, metadata }: StoredUpload,
  ): Promise<void> {
    const file = this.#store.fileOf(id)
    const startMs = Date.now()
    // The row is flushed together with the journal entry, before the name changes.
    if (!this.#rows.beginPublication(id, startMs)) throw noUpload()
    try {
      const options = { overwrite, modifiedMs: lastModified(metadata) }
      await scope.write(path, { ownedFile: file }, options)
    } catch (error) {
      // A command after the upload may fail although the file is published.
      if (existsSync(file)) this.#rows.markUnpublished(id)
      throw error
    }
    const endMs = Date.now()
    if (endMs - startMs > SLOW_MS) this.#rows.touch(id, endMs)
    this.#finishedCount += 1
    if (this.#finishedCount % FORGET_EVERY > 0) return
    this.#rows.removeFinished(userId, LIMITS.finishedUploadsKept, (one) => this.isPublished(one))
  }
}
