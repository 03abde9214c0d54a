/** Deletes items of the trash permanently, one deletion at a time. */

import { isDatabaseFull } from '#server/db/database-full.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { OneAtATime } from '#server/lib/one-at-a-time.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import { Fault } from '#wire/fault.ts'

export class TrashDiscards {
  readonly #rows: TrashRows
  readonly #store: TrashStore | undefined
  /** Settles when the running work has ended; it is never rejected. */
  readonly #running = new OneAtATime()
  #isClosed = false
  /** Key: a trash folder; value: when its last item was deleted permanently (a new object for each deletion). */
  readonly #last = new Map<TrashId, { atMs: number }>()

  constructor(rows: TrashRows, store: TrashStore | undefined) {
    this.#rows = rows
    this.#store = store
  }

  /** Nothing is deleted after this call. */
  close(): void {
    this.#isClosed = true
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The last deletion in a trash folder; another object after each one. */
  lastOf(trash: TrashId): { atMs: number } | undefined {
    return this.#last.get(trash)
  }

  /** Runs one deletion of several items at a time, so that no item is deleted twice. */
  oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    return this.#running.run(async () => {
      if (this.#isClosed) throw new Fault('aborted', 'The server is stopping.')
      return work()
    })
  }

  /**
   * Deletes an item permanently; together with a deleted file its earlier versions.
   *
   * @returns the deleted items
   */
  async discard(item: StoredTrashItem): Promise<StoredTrashItem[]> {
    const versions = item.role === 'trash' ? await this.discardVersions(item) : []
    await this.#discardOne(item)
    return [...versions, item]
  }

  /**
   * Deletes the earlier versions of a deleted item; before its row, so that no new file of that name gets them.
   *
   * @returns the deleted versions
   */
  async discardVersions(deleted: StoredTrashItem): Promise<StoredTrashItem[]> {
    const versions = await this.#rows.versionsOf(deleted)
    for (const version of versions) await this.#discardOne(version)
    return versions
  }

  async #discardOne({ name }: StoredTrashItem): Promise<void> {
    if (this.#store) {
      await this.#store.discard(name)
      this.#last.set(this.#store.trashOf(name), { atMs: Date.now() })
    }
    try {
      await this.#rows.removeLazily(name)
    } catch (error) {
      // The row is deleted by the next check of the limits.
      if (!isDatabaseFull(error)) throw error
    }
  }
}
