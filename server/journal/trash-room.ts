/**
 * Deletes content of the trash when a disk is full. A user's write deletes items that are past their day, and then what the
 * user has deleted today, except what others are known to have brought in: filling the disk deletes nothing of others. What
 * the user has just deleted stays too: a write must not take away what the user may still want to undo.
 */

import { BROUGHT_BY } from '#server/db/rows/brought-in.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { diskSizeOf, type TrashLimitRows } from '#server/db/rows/trash-limits.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import type { OwnTrash, Usage } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS, formatEnglishSize } from '#wire/units.ts'
import type { TrashDiscards } from './trash-discards.ts'
import { fairOrder } from './trash-fairness.ts'

/** The trash folder of the root. */
const ROOT_TRASH: TrashId = ''
/** How much room is freed at once on a full disk. */
const ROOM_BYTES = 64 * 1024 * 1024
/** As `ROOM_BYTES`, of what the user who writes has deleted today: no more than the write needs. */
const OWN_ROOM_BYTES = 1024 * 1024
/** A write of another user does not delete items of less than this age. */
const RECENT_MS = DAY_MS
/** No write deletes items of less than this age: their deletion is still offered to be undone, or just was. */
const UNDO_MS = 10 * 60_000
/** After a file was deleted, its blocks may stay occupied for this time, because the server still has it open. */
const FILE_CLOSE_MS = 1000

export interface TrashRoomDeps {
  /** The path of the served folder. */
  root: string
  rows: TrashLimitRows
  store: TrashStore | undefined
  discards: TrashDiscards
  /** @returns the usage of the disk of a trash folder, in which the trash is not free space */
  usage(trash: TrashId): Promise<Usage>
  /** Measures what was deleted since the last check of the limits. */
  measure(): Promise<void>
  nowMs(): number
}

export class TrashRoom {
  readonly #deps: TrashRoomDeps
  /** Key: the id of a user; value: how many items of the user writes have deleted since the server started. */
  readonly #removed = new Map<number, number>()

  constructor(deps: TrashRoomDeps) {
    this.#deps = deps
  }

  /**
   * How many bytes a write of a user can free by deleting items of a trash folder, as far as sizes are known.
   *
   * @param userId undefined for a write of the server itself
   */
  reclaimable(trash: TrashId, userId: number | undefined): Promise<number> {
    const { root, rows } = this.#deps
    return rows.diskBytes(root, trash, { userId, ...this.#limits() })
  }

  /**
   * @param path in the served tree
   * @returns what the trash of the disk of a path holds of a user's deletions, as far as sizes are known: a folder is measured
   *   a moment after its deletion, and this waits for nothing
   * @throws Fault notFound, forbidden, unavailable
   */
  async ownAt(path: TreePath, userId: number): Promise<OwnTrash> {
    const { root, rows, store } = this.#deps
    const trash = await store?.trashAt(path)
    if (trash === undefined) return { bytes: 0, freeBytes: 0 }
    return rows.ownDiskBytes(root, trash, { userId, ...this.#limits() })
  }

  /** How many items that a user had deleted were removed to make room, since the server started. */
  removedOf(userId: number): number {
    return this.#removed.get(userId) ?? 0
  }

  /**
   * @param path where a user could not write, in the served tree
   * @param fault why
   * @param inScope converts the path of a disk for the user
   * @returns the fault with the folder of the disk that is full, and with the bytes that the user's own trash occupies there
   */
  async describeFull(
    fault: Fault,
    path: TreePath,
    userId: number,
    inScope: (disk: TreePath) => TreePath | undefined,
  ): Promise<Fault> {
    const { store, rows, root, measure } = this.#deps
    // The disk of the database is another matter, and a fault of an inner part of the change is described already.
    if (!store || fault.reason !== undefined || fault.params.trashBytes !== undefined) return fault
    const disk = store.diskAt(path)
    const trash = disk === ROOT ? ROOT_TRASH : await store.trashAt(path).catch(() => undefined)
    let trashBytes = 0
    if (trash !== undefined) {
      await measure()
      trashBytes = (await rows.diskBytesByUser(root, trash)).get(userId) ?? 0
    }
    const shown = disk === ROOT ? undefined : inScope(disk)
    const size = formatEnglishSize(trashBytes)
    const held = trashBytes && `The trash holds ${size} that you deleted: empty it to make room.`
    return new Fault('noSpace', held ? `${fault.message} ${held}` : fault.message, {
      cause: fault,
      ...(trashBytes > 0 && { params: { trashBytes } }),
      ...(shown !== undefined && { disk: shown }),
    })
  }

  /**
   * Frees room for a write of a user at a path of the served tree: on its own file system first, else for the database
   * on that of the root.
   *
   * @returns false if no room was freed, so that trying again does not help
   */
  async makeRoomAt(path: TreePath, userId: number | undefined): Promise<boolean> {
    const trash = await this.#deps.store?.trashAt(path)
    if (trash !== undefined && (await this.makeRoom(trash, userId))) return true
    if (trash === ROOT_TRASH) return false
    const { free } = await this.#deps.usage(ROOT_TRASH)
    return free < ROOM_BYTES && (await this.makeRoom(ROOT_TRASH, userId))
  }

  /**
   * Deletes items on a full disk until some room is free.
   *
   * @param userId who writes; undefined for the server itself
   * @returns false if nothing is left that may be deleted
   */
  makeRoom(trash: TrashId, userId: number | undefined): Promise<boolean> {
    const { discards } = this.#deps
    const before = discards.lastOf(trash)
    return discards.oneAtATime(async () => {
      if (discards.lastOf(trash) !== before) return true
      const recentMs = this.#before(RECENT_MS)
      let freedBytes = 0
      let hasDiscarded = false
      for await (const item of this.#deletable(trash, userId)) {
        hasDiscarded = true
        freedBytes += await this.#measure(item)
        await discards.discard(item)
        if (item.userId === userId) this.#removed.set(userId, this.removedOf(userId) + 1)
        if (freedBytes >= (item.atMs < recentMs ? ROOM_BYTES : OWN_ROOM_BYTES)) break
      }
      if (hasDiscarded || Date.now() - (discards.lastOf(trash)?.atMs ?? 0) > FILE_CLOSE_MS)
        return hasDiscarded
      await Bun.sleep(FILE_CLOSE_MS / 20)
      return true
    })
  }

  /** The room on the disk of the root, for uploads. */
  onRoot(): Pick<TrashRoom, 'makeRoomFor'> & { reclaimable(userId: number): Promise<number> } {
    return {
      reclaimable: (userId) => this.reclaimable(ROOT_TRASH, userId),
      makeRoomFor: (bytes, userId) => this.makeRoomFor(bytes, userId),
    }
  }

  /** Frees room on the disk of the root before a user writes `bytes`, if less is free. */
  async makeRoomFor(bytes: number, userId: number | undefined): Promise<void> {
    for (;;) {
      const { free, used } = await this.#deps.usage(ROOT_TRASH)
      const reclaimable = Math.min(await this.reclaimable(ROOT_TRASH, userId), used)
      // If deleting all that may be deleted would not suffice, nothing is deleted.
      if (free + reclaimable < bytes || free >= bytes) return
      if (!(await this.makeRoom(ROOT_TRASH, userId))) return
    }
  }

  /** The items past their day, those of the user with the most first; then those of the user that writes, but for the newest. */
  async *#deletable(trash: TrashId, userId: number | undefined): AsyncGenerator<StoredTrashItem> {
    const { root, rows } = this.#deps
    yield* fairOrder(rows, { root, trash, beforeMs: this.#before(RECENT_MS) })
    if (userId === undefined) return
    const beforeMs = this.#before(UNDO_MS)
    yield* rows.leavingFirst(root, { trash, userId, beforeMs }, BROUGHT_BY.unknown)
  }

  /** When the items were deleted that a write may remove: those of its own user, and those of others. */
  #limits(): { ownBeforeMs: number; beforeMs: number } {
    return { ownBeforeMs: this.#before(UNDO_MS), beforeMs: this.#before(RECENT_MS) }
  }

  #before(ageMs: number): number {
    return this.#deps.nowMs() - ageMs
  }

  /** A file is measured now: its other names may be gone since it was deleted. */
  async #measure(item: StoredTrashItem): Promise<number> {
    if (item.isFolder && item.diskBytes >= 0) return diskSizeOf(item)
    const size = await this.#deps.store?.sizeOf(item.name).catch(() => undefined)
    return size?.diskBytes ?? 0
  }
}
