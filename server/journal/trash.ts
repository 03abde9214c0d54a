/** The trash: what is kept in it, how long, and how its content is deleted permanently. */
import type { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import type { Usage } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import { TrashDiscards } from './trash-discards.ts'
import { type TrashLimits, TrashPruner } from './trash-limits.ts'
import { TrashRoom } from './trash-room.ts'

export interface TrashOptions extends TrashLimits {
  isOn: boolean
  /** Folders of the served tree whose content is not kept. */
  excluded: readonly TreePath[]
  /** The time for the age of items, in milliseconds since 1970. */
  nowMs(): number
}

/** The limits are checked once, this long after a change has kept something. */
const PRUNE_DELAY_MS = 1000

export class Trash {
  readonly #rows: TrashRows
  readonly #store: TrashStore | undefined
  readonly #options: TrashOptions
  readonly #discards: TrashDiscards
  readonly #pruner: TrashPruner | undefined
  /** Deletes content when a disk is full. */
  readonly room: TrashRoom
  /** Runs the next check of the limits. */
  #checkTimer: Timer | undefined

  /**
   * @param store the trash of the whole served tree; undefined if nothing can be kept
   * @param usage returns the usage of the disk of a trash folder, in which the trash is not free space
   */
  constructor(
    rows: TrashRows,
    store: TrashStore | undefined,
    usage: (trash: TrashId) => Promise<Usage>,
    options: TrashOptions,
  ) {
    this.#rows = rows
    this.#store = store
    this.#options = options
    const { root } = options
    const nowMs = () => options.nowMs()
    const discards = new TrashDiscards(rows, store)
    this.#discards = discards
    this.#pruner = store && new TrashPruner({ rows, store, discards, usage, nowMs }, options)
    const measure = () => discards.oneAtATime(async () => this.#pruner?.measureNew())
    this.room = new TrashRoom({ root, rows: rows.limits, store, discards, usage, measure, nowMs })
  }

  /** Nothing is deleted after this call. */
  close(): void {
    clearTimeout(this.#checkTimer)
    this.#checkTimer = undefined
    this.#discards.close()
  }

  /** Whether content that is deleted or replaced at a path is kept. */
  keepsAt(path: TreePath): boolean {
    const { isOn, excluded } = this.#options
    return isOn && !!this.#store && !excluded.some((folder) => isInside(path, folder))
  }

  /**
   * As `keepsAt`, and whether the file system of the path can keep it.
   * @throws Fault notFound, forbidden
   */
  async canKeep(path: TreePath): Promise<boolean> {
    return this.keepsAt(path) && (await this.#store?.canKeep(path)) === true
  }

  /** Called when something may have been kept: measures it and checks the limits soon. */
  scheduleCheck(): void {
    this.#checkTimer ??= setTimeout(() => {
      this.#checkTimer = undefined
      // A failure is retried after the next change, and every few minutes.
      this.prune().catch(() => undefined)
    }, PRUNE_DELAY_MS)
    this.#checkTimer.unref()
  }

  /**
   * Deletes items beyond the limits.
   * @returns how many were deleted
   */
  prune(): Promise<number> {
    return this.#discards.oneAtATime(async () => (await this.#pruner?.prune()) ?? 0)
  }

  /** Measures files again that occupied nothing, because they had other names. */
  measureAgain(): Promise<void> {
    return this.#discards.oneAtATime(async () => this.#pruner?.measureAgain())
  }

  /**
   * Deletes all items of all users.
   * @returns how many were deleted, and how many stay because their file system is not mounted
   */
  empty(): Promise<{ deleted: number; away: number }> {
    return this.#discards.oneAtATime(async () => {
      const count = { deleted: 0, away: 0 }
      for await (const item of this.#rows.limits.oldestFirst(this.#options.root)) {
        try {
          await this.discard(item)
          count.deleted += 1
        } catch (error) {
          if (!isFault(error, 'unavailable')) throw error
          count.away += 1
        }
      }
      return count
    })
  }

  /** Deletes an item permanently; together with a deleted file its earlier versions. */
  async discard(item: StoredTrashItem): Promise<void> {
    await this.#discards.discard(item)
  }

  /** Deletes the earlier versions of a deleted item; before its row, so that no new file of that name gets them. */
  async discardVersions(deleted: StoredTrashItem): Promise<void> {
    await this.#discards.discardVersions(deleted)
  }

  /** Deletes the rows of items that were restored by a change which failed midway. */
  async deleteMissingRows(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (this.#store?.isAway(name)) continue
      // A disk that does not respond says nothing about its content.
      const isMissing = await this.#store?.mark(name).then(
        (mark) => mark === undefined,
        () => false,
      )
      if (isMissing !== false) await this.#rows.removeLazily(name)
    }
  }
}
