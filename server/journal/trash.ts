/**
 * Deletes old content from the trash. Limits are age, share of the disk, number of items, and number of versions of a
 * file; the oldest content goes first. If the disk fills up, content is deleted before a write fails. Content that was deleted
 * recently is exempt from the share, so that the undo of a large deletion stays possible (docs/decisions.md, "What
 * was deleted today stays").
 */
import { diskSizeOf, type StoredTrashItem, type TrashRows } from '#server/db/trash.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import { isDatabaseFull } from './database-full.ts'

export interface TrashOptions {
  /** The path of the served folder on the disk; the database may hold the trash of several. */
  root: string
  isOn: boolean
  /** Folders of the served tree whose content is not kept. */
  excluded: readonly TreePath[]
  keepMs: number
  /** Share of the disk, in percent. */
  sharePercent: number
  /** Versions kept of one file. */
  versionsMax: number
  /** Items of all users together. The user with the most items loses the oldest. */
  itemsMax: number
}

/** Newer items are exempt from the share of the disk, as long as the free space of the disk is at least that share. */
const RECENT_MS = DAY_MS
/** The same exemption on a disk with less free space. A write that needs room deletes also exempt items. */
const RECENT_SHORT_MS = 3_600_000

/** The limits are checked once, this long after a change has kept something. */
const PRUNE_DELAY_MS = 1000
/** How much room is freed at once on a full disk. */
const ROOM_BYTES = 64 * 1024 * 1024

/** The trash folder of the root. */
const ROOT_TRASH: TrashId = ''

/** After a file was deleted, its blocks may stay occupied for this time, because the server still has it open. */
const FILE_CLOSE_MS = 1000

export class Trash {
  readonly #rows: TrashRows
  readonly #store: TrashStore | undefined
  readonly #usage: (trash: TrashId) => Promise<Usage>
  readonly #options: TrashOptions
  /** Runs the next check of the limits. */
  #checkTimer: Timer | undefined
  /** Settles when the running deletion has ended; it is never rejected. */
  #pruning: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** Versions up to this row id were already compared with the limit of versions. */
  #countedUpToId = 0
  /** Key: a trash folder; value: when its last item was deleted permanently (a new object for each deletion). */
  readonly #discarded = new Map<TrashId, { atMs: number }>()

  /**
   * @param store the trash of the whole served tree; undefined if nothing can be kept
   * @param usage returns the usage of the disk of a trash folder; for the root the trash counts as free
   */
  constructor(
    rows: TrashRows,
    store: TrashStore | undefined,
    usage: (trash: TrashId) => Promise<Usage>,
    options: TrashOptions,
  ) {
    this.#rows = rows
    this.#store = store
    this.#usage = usage
    this.#options = options
  }

  /** Nothing is deleted after this call. */
  close(): void {
    clearTimeout(this.#checkTimer)
    this.#checkTimer = undefined
    this.#isClosed = true
  }

  /** Whether content that is deleted or replaced at a path is kept. */
  keepsAt(path: TreePath): boolean {
    const { isOn, excluded } = this.#options
    return isOn && !!this.#store && !excluded.some((folder) => isInside(path, folder))
  }

  /** How many bytes deleting the content of a trash folder would free, as far as sizes are known. */
  reclaimable(trash: TrashId): number {
    return this.#rows.sizeBytes(this.#options.root, trash)
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
    return this.#oneAtATime(() => this.#prune())
  }

  /**
   * Deletes all items of all users.
   * @returns how many
   */
  empty(): Promise<number> {
    return this.#oneAtATime(async () => {
      let count = 0
      for (const item of this.#rows.oldestFirst(this.#options.root)) {
        await this.discard(item)
        count += 1
      }
      return count
    })
  }

  /**
   * Frees room for a write at a path of the served tree: on its own file system first, else for the database on that
   * of the root.
   * @returns false if no room was freed, so that trying again does not help
   */
  async makeRoomAt(path: TreePath): Promise<boolean> {
    const trash = await this.#store?.trashAt(path)
    if (trash !== undefined && (await this.makeRoom(trash))) return true
    if (trash === ROOT_TRASH) return false
    const { free } = await this.#disk(ROOT_TRASH)
    return free < ROOM_BYTES && this.makeRoom(ROOT_TRASH)
  }

  /**
   * Deletes the oldest items on a full disk until some room is free.
   * @returns false if nothing is left to delete
   */
  makeRoom(trash: TrashId): Promise<boolean> {
    const before = this.#discarded.get(trash)
    return this.#oneAtATime(async () => {
      if (this.#discarded.get(trash) !== before) return true
      let freedBytes = 0
      let hasDiscarded = false
      for (const item of this.#rows.oldestFirst(this.#options.root, trash)) {
        hasDiscarded = true
        freedBytes += await this.#sizeOf(item)
        await this.discard(item)
        if (freedBytes >= ROOM_BYTES) break
      }
      if (hasDiscarded || Date.now() - (this.#discarded.get(trash)?.atMs ?? 0) > FILE_CLOSE_MS)
        return hasDiscarded
      await Bun.sleep(FILE_CLOSE_MS / 20)
      return true
    })
  }

  /** Frees room on the disk of the root before `bytes` are written, if less is free. */
  async makeRoomFor(bytes: number): Promise<void> {
    for (;;) {
      const { free, reclaimable } = await this.#disk(ROOT_TRASH)
      // If deleting everything would not suffice, nothing is deleted.
      if (free + reclaimable < bytes || free >= bytes || !(await this.makeRoom(ROOT_TRASH))) return
    }
  }

  /** Deletes an item permanently; together with a deleted file its earlier versions. */
  async discard(item: StoredTrashItem): Promise<void> {
    if (item.role === 'trash') await this.discardVersions(item)
    await this.#discardOne(item)
  }

  /** Deletes the earlier versions of a deleted item; before its row, so that no new file of that name gets them. */
  async discardVersions(deleted: StoredTrashItem): Promise<void> {
    for (const version of this.#rows.versionsOf(deleted)) await this.#discardOne(version)
  }

  async #discardOne({ name }: StoredTrashItem): Promise<void> {
    await this.#store?.discard(name)
    const trash = this.#store?.trashOf(name) ?? ROOT_TRASH
    this.#discarded.set(trash, { atMs: Date.now() })
    try {
      this.#rows.remove(name)
    } catch (error) {
      // The row is deleted by the next check of the limits.
      if (!isDatabaseFull(error)) throw error
    }
  }

  async #prune(): Promise<number> {
    const store = this.#store
    if (!store) return 0
    const { root, keepMs, versionsMax } = this.#options
    for (const item of this.#rows.unmeasured(root)) {
      if (this.#isClosed) return 0
      if (!store.isAway(item.name)) await this.#sizeOf(item)
    }
    const newest = this.#rows.newest(root)
    let discarded = await this.#discardPresent(
      this.#rows.versionsBeyond(root, versionsMax, this.#countedUpToId),
      store,
    )
    this.#countedUpToId = newest
    discarded += await this.#discardBeyond(store)
    for (const trash of store.trashes()) discarded += await this.#pruneFolder(trash, store)
    await this.#discardUnknown(Date.now() - keepMs, store)
    return discarded
  }

  /** Deletes items beyond the maximum number. */
  async #discardBeyond(store: TrashStore): Promise<number> {
    const { root, itemsMax } = this.#options
    for (let all = 0; ; ) {
      const discarded = await this.#discardPresent(this.#rows.beyond(root, itemsMax), store)
      if (discarded === 0 || this.#isClosed) return all
      all += discarded
    }
  }

  /** Deletes items, except those on file systems that are not mounted; returns how many. */
  async #discardPresent(items: readonly StoredTrashItem[], store: TrashStore): Promise<number> {
    let discarded = 0
    for (const item of items) {
      if (store.isAway(item.name)) continue
      await this.discard(item)
      discarded += 1
    }
    return discarded
  }

  /** Prunes one trash folder by age and by its share of the disk. */
  async #pruneFolder(trash: TrashId, store: TrashStore): Promise<number> {
    const { root, keepMs, sharePercent } = this.#options
    const { total, free, reclaimable: keptBytes } = await this.#disk(trash)
    const share = (total * sharePercent) / 100
    const expiredBeforeMs = Date.now() - keepMs
    const recentSinceMs = Date.now() - (free < share ? RECENT_SHORT_MS : RECENT_MS)
    let excessBytes = keptBytes - share
    let discarded = 0
    for (const item of this.#rows.oldestFirst(root, trash)) {
      if (store.mark(item.name) === undefined) {
        // The content was restored or removed, but the database could not be updated then.
        this.#rows.remove(item.name)
        continue
      }
      if (item.atMs >= expiredBeforeMs && (excessBytes <= 0 || item.atMs >= recentSinceMs)) break
      excessBytes -= diskSizeOf(item)
      await this.discard(item)
      discarded += 1
    }
    return discarded
  }

  /** Deletes the rows of items that were restored by a change which failed midway. */
  deleteMissingRows(names: readonly string[]): void {
    for (const name of names) {
      const mayExist = this.#store?.mark(name) !== undefined || this.#store?.isAway(name)
      if (!mayExist) this.#rows.remove(name)
    }
  }

  /** Deletes old content without a row in this database. It may belong to another server, so only its age counts. */
  async #discardUnknown(expiredBeforeMs: number, store: TrashStore): Promise<void> {
    for (const { name, sinceMs } of store.list()) {
      if (sinceMs < expiredBeforeMs && !this.#rows.findByName(name)) await store.discard(name)
    }
  }

  /** @returns the size of the disk of a trash folder, its free bytes, and the bytes that the trash would free */
  async #disk(trash: TrashId): Promise<{ total: number; free: number; reclaimable: number }> {
    const { total, free } = await this.#usage(trash)
    const reclaimable = this.reclaimable(trash)
    return { total, free: free - (trash === ROOT_TRASH ? reclaimable : 0), reclaimable }
  }

  async #sizeOf(item: StoredTrashItem): Promise<number> {
    if (item.sizeBytes >= 0) return item.sizeBytes
    // An item that cannot be measured counts as empty, so that the others are still pruned.
    const sizeBytes = (await this.#store?.sizeOf(item.name).catch(() => 0)) ?? 0
    this.#rows.setSize(item.name, sizeBytes)
    return sizeBytes
  }

  /** Runs one deletion at a time, so that no item is deleted twice. */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#pruning.then(() => {
      if (this.#isClosed) throw new Fault('aborted', 'The server is stopping.')
      return work()
    })
    this.#pruning = result.catch(() => undefined)
    return result
  }
}
