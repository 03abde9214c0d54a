/** Finds the upload that a request names. */
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { Fault } from '#wire/fault.ts'
import type { UploadPublisher } from './upload-publisher.ts'
import { noUpload, type UploadAddress } from './upload-state.ts'

export class UploadFinder {
  readonly #rows: UploadRows
  readonly #publisher: UploadPublisher
  readonly #root: string

  /** @param root the path of the served folder on the disk */
  constructor(rows: UploadRows, publisher: UploadPublisher, root: string) {
    this.#rows = rows
    this.#publisher = publisher
    this.#root = root
  }

  /** @throws Fault notFound */
  async get(
    userId: number,
    { path, id }: Pick<UploadAddress, 'path' | 'id'>,
  ): Promise<StoredUpload> {
    const root = this.#root
    const upload = id ? await this.#rows.find(id) : await this.#rows.findByPath(root, userId, path)
    // An id is valid only for the user's own uploads and for the path it was issued for.
    const isOwn = upload?.userId === userId && upload.root === root && upload.path === path
    if (upload && isOwn) return upload
    throw noUpload()
  }

  /**
   * Refuses a path without an id that two unfinished uploads had.
   *
   * @throws Fault notFound, locked
   */
  async refuseAmbiguous(userId: number, address: UploadAddress): Promise<void> {
    if (address.id !== undefined) return
    const upload = await this.get(userId, address)
    if (!upload.isPathAmbiguous || this.#publisher.isPublished(upload)) return
    throw new Fault('locked', 'Another upload replaced this one. Start the upload again.')
  }
}
