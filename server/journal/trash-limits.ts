/**
 * Deletes items of the trash beyond its limits: age, share of the disk, number of items, and number of versions of a file.
 * Items that were deleted recently are exempt from the share, so that the undo of a large deletion stays possible
 * (docs/decisions.md, "What was deleted today stays").
 */

import type { TrashRows } from '#server/db/rows/trash.ts'
import {
  parseRecord,
  recordOf,
  type StoredTrashItem,
  type TrashRecord,
} from '#server/db/rows/trash-items.ts'
import { diskSizeOf } from '#server/db/rows/trash-limits.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { TrashSize, TrashStore } from '#server/storage/trash-store.ts'
import type { Usage } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { DAY_MS } from '#wire/units.ts'
import type { TrashDiscards } from './trash-discards.ts'
import { fairOrder } from './trash-fairness.ts'

/** Newer items are exempt from the share of the disk, as long as the free space of the disk is at least that share. */
const RECENT_MS = DAY_MS
/**
 * The same exemption on a disk with less free space, and for versions of one file that take more than half of the share.
 * A write that needs room deletes also exempt items.
 */
const RECENT_SHORT_MS = 3_600_000

/** How many records are written by one check of the limits. */
const RECORDS_AT_ONCE = 1000

export interface TrashLimits {
  /** The path of the served folder on the disk; the database may hold the trash of several. */
  root: string
  keepMs: number
  /** Share of the disk, in percent. */
  sharePercent: number
  /** Versions kept of one file. */
  versionsMax: number
  /** Items of all users together. The user with the most items loses the oldest. */
  itemsMax: number
}

export interface TrashPrunerDeps {
  rows: TrashRows
  store: TrashStore
  discards: TrashDiscards
  /** @returns the usage of the disk of a trash folder, in which the trash is not free space */
  usage(trash: TrashId): Promise<Usage>
  nowMs(): number
}

const EMPTY: TrashSize = { sizeBytes: 0, diskBytes: 0 }

export class TrashPruner {
  readonly #deps: TrashPrunerDeps
  readonly #limits: TrashLimits
  /** Versions up to this row id were already compared with the limit of versions. */
  #countedUpToId = 0

  constructor(deps: TrashPrunerDeps, limits: TrashLimits) {
    this.#deps = deps
    this.#limits = limits
  }

  /**
   * Deletes items beyond the limits.
   *
   * @returns how many were deleted
   */
  async prune(): Promise<number> {
    const { rows, store, discards, nowMs } = this.#deps
    const { root, keepMs, versionsMax } = this.#limits
    await this.measureNew()
    if (discards.isClosed) return 0
    const newest = await rows.limits.newestFinished(root)
    const versions = await rows.limits.versionsBeyond(root, versionsMax, this.#countedUpToId)
    // First, so that no undo meets a change whose version is gone.
    for (const version of versions) await rows.joinChangeOf(version)
    let discarded = await this.#discardPresent(versions)
    this.#countedUpToId = newest
    discarded += await this.#discardBeyond()
    for (const trash of store.trashes())
      discarded += (await ifResponds(() => this.#pruneFolder(trash))) ?? 0
    await this.#forgetAway()
    await this.#handleUnknown(nowMs() - keepMs)
    await this.#record()
    return discarded
  }

  /** Measures items that were deleted since the last call. */
  async measureNew(): Promise<void> {
    await this.#measure(await this.#deps.rows.limits.unmeasured(this.#limits.root))
  }

  /** Measures files again that had other names when they were deleted. Folders with such files are not. */
  async measureAgain(): Promise<void> {
    await this.#measure(await this.#deps.rows.limits.shared(this.#limits.root))
  }

  async #measure(items: readonly StoredTrashItem[]): Promise<void> {
    const { rows, store, discards } = this.#deps
    for (const { name } of items) {
      if (discards.isClosed) return
      if (store.isAway(name)) continue
      // An item that cannot be measured counts as empty, so that the others are still pruned.
      const size = await ifResponds(() => store.sizeOf(name)).catch(() => EMPTY)
      if (size !== undefined) await rows.setSize(name, size)
    }
  }

  /** Deletes items beyond the maximum number. */
  async #discardBeyond(): Promise<number> {
    const { rows, discards } = this.#deps
    const { root, itemsMax } = this.#limits
    for (let all = 0; ; ) {
      const discarded = await this.#discardPresent(await rows.limits.beyond(root, itemsMax))
      if (discarded === 0 || discards.isClosed) return all
      all += discarded
    }
  }

  /** Deletes items, except those on file systems that are not mounted; returns how many. */
  async #discardPresent(items: readonly StoredTrashItem[]): Promise<number> {
    const { store, discards } = this.#deps
    let discarded = 0
    for (const item of items) {
      if (store.isAway(item.name)) continue
      if (await ifResponds(() => discards.discard(item))) discarded += 1
    }
    return discarded
  }

  /**
   * Forgets items past their time on file systems that are not mounted, which may never come back. If one does, its items
   * are found by their records, and deleted.
   */
  async #forgetAway(): Promise<void> {
    const { rows, store, nowMs } = this.#deps
    const { root, keepMs } = this.#limits
    for await (const { name } of rows.limits.oldestFirst(root, { beforeMs: nowMs() - keepMs })) {
      const isThere = !store.isAway(name) && (await ifResponds(() => store.mark(name)))
      if (!isThere) await rows.removeLazily(name)
    }
  }

  /** Prunes one trash folder by age and by its share of the disk. */
  async #pruneFolder(trash: TrashId): Promise<number> {
    const { rows, store, discards, nowMs } = this.#deps
    const { root, keepMs } = this.#limits
    let discarded = 0
    for await (const item of rows.limits.oldestFirst(root, { trash })) {
      if ((await store.mark(item.name)) === undefined) {
        // The content was restored or removed, but the database could not be updated then. Its record may be left.
        await store.discard(item.name)
        await rows.removeLazily(item.name)
        continue
      }
      if (item.atMs >= nowMs() - keepMs) break
      await discards.discard(item)
      discarded += 1
    }
    return discarded + (await this.#pruneShare(trash))
  }

  /**
   * Deletes items of a trash folder beyond its share of the disk: first versions of one file that take more than half of
   * it, then items of the user with the most. A user keeps what fits into an equal part of the share.
   */
  async #pruneShare(trash: TrashId): Promise<number> {
    const { rows, discards, usage, nowMs } = this.#deps
    const { root, sharePercent } = this.#limits
    const { total, free } = await usage(trash)
    const share = (total * sharePercent) / 100
    let excessBytes = (await rows.limits.diskBytes(root, trash)) - share
    /** Versions are deleted with their deleted file, and may have been read before that. */
    const discarded = new Set<string>()
    const discardUntilFits = async (
      items: Iterable<StoredTrashItem> | AsyncIterable<StoredTrashItem>,
    ) => {
      for await (const item of items) {
        if (excessBytes <= 0 || discards.isClosed) return
        if (discarded.has(item.name)) continue
        for (const gone of await discards.discard(item)) {
          discarded.add(gone.name)
          excessBytes -= diskSizeOf(gone)
        }
      }
    }
    if (excessBytes <= 0) return 0
    const shortlyMs = nowMs() - RECENT_SHORT_MS
    await discardUntilFits(await rows.limits.largeVersions(root, trash, share / 2, shortlyMs))
    const users = (await rows.limits.diskBytesByUser(root, trash)).size
    const beforeMs = free < share ? shortlyMs : nowMs() - RECENT_MS
    const limits = { root, trash, beforeMs, bytesOfUser: share / users }
    await discardUntilFits(fairOrder(rows.limits, limits))
    return discarded.size
  }

  /**
   * Content without a row in this database: the database was lost, or is an older copy. The rows are rebuilt from the
   * records beside the content. Without a record, or if another server uses this trash too, only its age counts.
   */
  async #handleUnknown(expiredBeforeMs: number): Promise<void> {
    const { rows, store } = this.#deps
    const unknown: Awaited<ReturnType<TrashStore['list']>> = []
    for (const trash of store.trashes()) {
      const all = (await ifResponds(() => store.list(trash))) ?? []
      for (const content of all) if (!(await rows.findByName(content.name))) unknown.push(content)
    }
    if (unknown.length === 0) return
    const found = store.isShared() ? [] : await recordsOf(unknown, store)
    for (const { name, record } of found) await rows.insertFound(this.#limits.root, name, record)
    const rebuilt = new Set(found.map(({ name }) => name))
    for (const { name, sinceMs } of unknown) {
      if (sinceMs < expiredBeforeMs && !rebuilt.has(name)) await store.discard(name)
    }
  }

  /** Writes records of new items. On a full disk this is tried again later. */
  async #record(): Promise<void> {
    const { rows, store } = this.#deps
    const recorded: string[] = []
    try {
      for (const item of await rows.limits.unrecorded(this.#limits.root, RECORDS_AT_ONCE)) {
        if (store.isAway(item.name) || (await store.mark(item.name)) === undefined) continue
        await store.writeRecord(item.name, recordOf(item))
        recorded.push(item.name)
      }
    } catch (error) {
      if (!isFault(error)) throw error
    }
    if (recorded.length > 0) await rows.setRecorded(recorded)
  }
}

/** @returns the records of content, oldest first: a version belongs to the file that was deleted after it */
async function recordsOf(
  unknown: readonly { name: string }[],
  store: TrashStore,
): Promise<{ name: string; record: TrashRecord }[]> {
  const found: { name: string; record: TrashRecord }[] = []
  for (const { name } of unknown) {
    const record = parseRecord((await ifResponds(() => store.readRecord(name))) ?? '')
    if (record) found.push({ name, record })
  }
  return found.toSorted((a, b) => a.record.atMs - b.record.atMs)
}

/** @returns what `read` returns; undefined if the disk does not respond */
async function ifResponds<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!isFault(error, 'unavailable')) throw error
    return undefined
  }
}
