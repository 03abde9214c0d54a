/**
 * Lists and ends unfinished uploads, and removes the bytes of those that were ended elsewhere: with their user, from the
 * command line, or by another server. A trigger of the database records these (db/rows/ended-uploads.ts).
 */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '#server/access/actor.ts'
import { may, mayManage } from '#server/access/policy.ts'
import type { OwnedUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { diskFull } from '#server/lib/common-faults.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, parsePath } from '#wire/paths.ts'
import type { UploadOptions } from './upload-options.ts'
import { type NewUpload, noUpload } from './upload-state.ts'

/** The user who asks. Administrators see and end the uploads of all users. */
export type UploadViewer = Pick<Actor, 'id' | 'perm'>

type Options = Pick<UploadOptions, 'folder' | 'root' | 'expiryMs' | 'diskAnswers'>

export class UnfinishedUploads {
  readonly #rows: UploadRows
  readonly #options: Options
  readonly #timer: Timer

  constructor(rows: UploadRows, options: Options) {
    this.#rows = rows
    this.#options = options
    // A failure is ignored: the next call does the same work.
    this.#timer = setInterval(
      () =>
        void this.diskAnswers()
          .then(() => this.removeEnded())
          .catch(() => undefined),
      SERVER_LIMITS.takeOverEveryMs,
    ).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** To be called before the other methods. @throws Fault unavailable if the disk of the uploads does not answer */
  async diskAnswers(): Promise<void> {
    await this.#options.diskAnswers?.()
  }

  /** @returns the `LIMITS.listMax` largest uploads of the user; for administrators those of all users */
  async list(viewer: UploadViewer): Promise<UnfinishedUpload[]> {
    const isAdministrator = may(viewer, 'administer')
    const { root } = this.#options
    return (
      await this.#rows.listUnfinished(root, isAdministrator ? undefined : viewer.id, LIMITS.listMax)
    ).map((upload) => this.#present(upload, isAdministrator))
  }

  /** The number of all unfinished uploads. Their disk is not asked. */
  async count(): Promise<number> {
    return (await this.#rows.unfinishedIds(this.#options.root)).length
  }

  /** The bytes of all unfinished uploads on the disk. */
  async receivedInAll(): Promise<number> {
    const ids = await this.#rows.unfinishedIds(this.#options.root)
    return ids.reduce((sum, id) => sum + this.receivedBytes(id), 0)
  }

  /**
   * Ends an upload and removes its bytes. A request that sends it stops.
   *
   * @throws Fault notFound
   */
  async end(viewer: UploadViewer, id: string): Promise<UnfinishedUpload> {
    const { root } = this.#options
    const upload = (await this.#rows.listUnfinished(root, undefined, 1, id))[0]
    if (!upload || !mayManage(viewer, upload.userId)) throw noUpload()
    await this.#rows.remove(id)
    await this.removeEnded()
    return this.#present(upload, true)
  }

  /**
   * Refuses a new upload if it and what users have declared but not sent do not fit on the disk. A user can always
   * declare an equal share, so no user keeps the others from uploading.
   *
   * @param availableBytes how many bytes the user can store now
   * @throws Fault noSpace
   */
  async requireRoom(
    { sizeBytes, path }: Pick<NewUpload, 'sizeBytes' | 'path'>,
    userId: number,
    availableBytes: number,
  ): Promise<void> {
    const declared = await this.#rows.declaredBytes(this.#options.root)
    const allDeclared = declared.reduce((sum, { bytes }) => sum + bytes, 0)
    // The bytes that have arrived are counted only if it matters.
    if (sizeBytes + allDeclared <= availableBytes) return
    // The new upload replaces one of the same user to the same path.
    const pending = await this.#pendingBytes(
      (upload) => upload.userId !== userId || upload.path !== path,
    )
    const ownPending = pending.get(userId) ?? 0
    pending.delete(userId)
    const others = [...pending.values()]
    const free = availableBytes - ownPending
    const leftByOthers = free - others.reduce((sum, bytes) => sum + bytes, 0)
    const equalShare = availableBytes / (others.length + 1) - ownPending
    if (sizeBytes <= Math.max(leftByOthers, Math.min(equalShare, free))) return
    throw diskFull()
  }

  /** What users have declared and not sent, in bytes. */
  async #pendingBytes(counts: (upload: OwnedUpload) => boolean): Promise<Map<number, number>> {
    const pending = new Map<number, number>()
    const uploads = await this.#rows.listUnfinished(this.#options.root, undefined)
    for (const { id, userId, sizeBytes } of uploads.filter(counts)) {
      const bytes = Math.max(0, sizeBytes - this.receivedBytes(id))
      if (bytes > 0) pending.set(userId, (pending.get(userId) ?? 0) + bytes)
    }
    return pending
  }

  /** Removes the bytes of uploads whose rows were deleted. */
  async removeEnded(): Promise<void> {
    for (const id of await this.#rows.takeEnded(this.#options.root)) {
      rmSync(join(this.#options.folder, id), { force: true })
    }
  }

  /** How many bytes of an upload are on the disk. */
  receivedBytes(id: string): number {
    return statSync(join(this.#options.folder, id), { throwIfNoEntry: false })?.size ?? 0
  }

  #present(upload: OwnedUpload, isWholeTree: boolean): UnfinishedUpload {
    const { id, username, scope, path, sizeBytes, createdMs, touchedMs } = upload
    const expiresMs = touchedMs + this.#options.expiryMs
    const received = Math.min(this.receivedBytes(id), sizeBytes)
    const [created, touched, expires] = [createdMs, touchedMs, expiresMs].map((ms) =>
      new Date(ms).toISOString(),
    ) as [string, string, string]
    const shownPath = isWholeTree ? joinPath(parsePath(scope), path) : path
    return { id, username, path: shownPath, size: sizeBytes, received, created, touched, expires }
  }
}
