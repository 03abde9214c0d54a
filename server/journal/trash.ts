/**
 * How long deleted and replaced content is kept: by age, by its share of the disk, by the number of versions of one
 * file, whichever is reached first, the oldest first. When the disk fills, it gives way before a write fails. Its share
 * of the disk never condemns what was deleted a moment ago: the undo of a large folder would be gone before anybody
 * can ask for it (docs/decisions.md, "What was deleted today stays").
 */
import { type KeptRows, roomOf, type StoredKept } from '#server/db/kept.ts'
import type { TrashId } from '#server/storage/step.ts'
import type { Kept } from '#server/storage/storage.ts'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, type TreePath } from '#wire/paths.ts'
import { isDatabaseFull } from './full.ts'

export interface TrashOptions {
  /** The served folder on the disk: names this tree in the database. */
  root: string
  isOn: boolean
  /** Folders of the served tree in which nothing is kept. */
  except: readonly TreePath[]
  keepMs: number
  /** Of the disk, in percent. */
  sharePercent: number
  /** Of one file. */
  versionsMax: number
  /** Things, of everybody. Whoever has most of them loses the oldest. */
  thingsMax: number
}

/** What is younger stays beyond the share, while the rest of the disk has that much room. */
const YOUNG_MS = 24 * 3_600_000
/** The same where the disk has less room left. A write that needs room still takes it. */
const YOUNG_SHORT_MS = 3_600_000

/** Changes that keep something are followed by one look at the limits, so much later. */
const LOOK_AFTER_MS = 1000
/** What a full disk is given back at a time. */
const ROOM_BYTES = 64 * 1024 * 1024

/** The trash folder of the root. */
const ROOT_TRASH: TrashId = ''

/** What is still being sent takes room until it is closed, a moment after its last byte. */
const CLOSING_MS = 1000

export class Trash {
  readonly #rows: KeptRows
  readonly #content: Kept | undefined
  readonly #usage: (trash: TrashId) => Promise<Usage>
  readonly #options: TrashOptions
  #soon: Timer | undefined
  #pruning: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** Versions up to this row were counted. */
  #counted = 0
  /** When the last thing of a trash folder went for ever. */
  readonly #discarded = new Map<TrashId, { atMs: number }>()

  /**
   * @param content of the whole served tree; undefined where nothing can be kept
   * @param usage of the disk of a trash folder; that of the root with the trash taken for free
   */
  constructor(
    rows: KeptRows,
    content: Kept | undefined,
    usage: (trash: TrashId) => Promise<Usage>,
    options: TrashOptions,
  ) {
    this.#rows = rows
    this.#content = content
    this.#usage = usage
    this.#options = options
  }

  /** Nothing is removed from here on. */
  close(): void {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#isClosed = true
  }

  /** Whether what is deleted or replaced at a path of the served tree is kept. */
  keepsAt(path: TreePath): boolean {
    const { isOn, except } = this.#options
    return isOn && !!this.#content && !except.some((folder) => isInside(path, folder))
  }

  /** How much room one of its folders would give back, as far as it is measured. */
  reclaimable(trash: TrashId): number {
    return this.#rows.sizeBytes(this.#options.root, trash)
  }

  /** Something may have been kept: its size is measured, and the limits are looked at, soon. */
  noteKept(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      // What fails is tried again with the next change, and every few minutes.
      this.prune().catch(() => undefined)
    }, LOOK_AFTER_MS)
    this.#soon.unref()
  }

  /** Removes what is beyond the limits. @returns how many things went for ever */
  prune(): Promise<number> {
    return this.#inTurn(() => this.#prune())
  }

  /** Removes all, of everybody. @returns how many */
  empty(): Promise<number> {
    return this.#inTurn(async () => {
      let count = 0
      for (const kept of this.#rows.oldestFirst(this.#options.root)) {
        await this.discard(kept)
        count += 1
      }
      return count
    })
  }

  /**
   * Makes room for what is written at a path of the served tree: on its own file system, else for the database on
   * that of the root.
   *
   * @returns false when nothing is left
   */
  async makeRoomAt(path: TreePath): Promise<boolean> {
    const trash = await this.#content?.trashAt(path)
    if (trash !== undefined && (await this.makeRoom(trash))) return true
    if (trash === ROOT_TRASH) return false
    const { free } = await this.#disk(ROOT_TRASH)
    return free < ROOM_BYTES && this.makeRoom(ROOT_TRASH)
  }

  /** Removes the oldest of a full disk until it has some room again. @returns false when nothing is left */
  makeRoom(trash: TrashId): Promise<boolean> {
    const before = this.#discarded.get(trash)
    return this.#inTurn(async () => {
      if (this.#discarded.get(trash) !== before) return true
      let freed = 0
      let found = false
      for (const kept of this.#rows.oldestFirst(this.#options.root, trash)) {
        found = true
        freed += await this.#sizeOf(kept)
        await this.discard(kept)
        if (freed >= ROOM_BYTES) break
      }
      if (found || Date.now() - (this.#discarded.get(trash)?.atMs ?? 0) > CLOSING_MS) return found
      await Bun.sleep(CLOSING_MS / 20)
      return true
    })
  }

  /** The same before so many bytes are written to the disk of the root, if it has less room than that. */
  async makeRoomFor(bytes: number): Promise<void> {
    for (;;) {
      const { free, kept } = await this.#disk(ROOT_TRASH)
      // What would not fit in without all of it neither takes nothing of it.
      if (free + kept < bytes || free >= bytes || !(await this.makeRoom(ROOT_TRASH))) return
    }
  }

  /** Removes one thing for ever; with what was deleted, its earlier versions. */
  async discard(kept: StoredKept): Promise<void> {
    await this.#discardOne(kept)
    if (kept.role === 'trash') await this.discardVersions(kept)
  }

  /** Removes the earlier versions of something deleted: who takes its name later must not find them. */
  async discardVersions(deleted: StoredKept): Promise<void> {
    for (const version of this.#rows.versionsOf(deleted)) await this.#discardOne(version)
  }

  async #discardOne({ name }: StoredKept): Promise<void> {
    await this.#content?.discard(name)
    const trash = this.#content?.trashOf(name) ?? ROOT_TRASH
    this.#discarded.set(trash, { atMs: Date.now() })
    try {
      this.#rows.remove(name)
    } catch (error) {
      // A row without content goes with the next look at the limits.
      if (!isDatabaseFull(error)) throw error
    }
  }

  async #prune(): Promise<number> {
    const content = this.#content
    if (!content) return 0
    const { root, keepMs, versionsMax } = this.#options
    for (const kept of this.#rows.unmeasured(root)) {
      if (this.#isClosed) return 0
      if (!content.isAway(kept.name)) await this.#sizeOf(kept)
    }
    const newest = this.#rows.newest(root)
    let gone = await this.#discardPresent(
      this.#rows.versionsBeyond(root, versionsMax, this.#counted),
      content,
    )
    this.#counted = newest
    gone += await this.#discardBeyond(content)
    for (const trash of content.trashes()) gone += await this.#pruneFolder(trash, content)
    await this.#discardStrangers(Date.now() - keepMs, content)
    return gone
  }

  /** So many things and no more. @returns how many went for ever */
  async #discardBeyond(content: Kept): Promise<number> {
    const { root, thingsMax } = this.#options
    for (let all = 0; ; ) {
      const gone = await this.#discardPresent(this.#rows.beyond(root, thingsMax), content)
      if (gone === 0 || this.#isClosed) return all
      all += gone
    }
  }

  /** What lies on a file system that is not mounted stays. @returns how many went for ever */
  async #discardPresent(things: readonly StoredKept[], content: Kept): Promise<number> {
    let gone = 0
    for (const kept of things) {
      if (content.isAway(kept.name)) continue
      await this.discard(kept)
      gone += 1
    }
    return gone
  }

  /** One trash folder, by age and by its share of its disk. @returns how many things went for ever */
  async #pruneFolder(trash: TrashId, content: Kept): Promise<number> {
    const { root, keepMs, sharePercent } = this.#options
    const { total, free, kept: keptBytes } = await this.#disk(trash)
    const share = (total * sharePercent) / 100
    const agedMs = Date.now() - keepMs
    const youngMs = Date.now() - (free < share ? YOUNG_SHORT_MS : YOUNG_MS)
    let beyond = keptBytes - share
    let gone = 0
    for (const kept of this.#rows.oldestFirst(root, trash)) {
      if (content.mark(kept.name) === undefined) {
        // It came back, or was taken away, while nobody could write that down.
        this.#rows.remove(kept.name)
        continue
      }
      if (kept.atMs >= agedMs && (beyond <= 0 || kept.atMs >= youngMs)) break
      beyond -= roomOf(kept)
      await this.discard(kept)
      gone += 1
    }
    return gone
  }

  /** What no row of this database names may be another one's: only age condemns it. */
  async #discardStrangers(agedMs: number, content: Kept): Promise<void> {
    for (const { name, sinceMs } of content.list()) {
      if (sinceMs < agedMs && !this.#rows.findByName(name)) await content.discard(name)
    }
  }

  /** The disk of a trash folder, in bytes: all of it, what is free, and what the trash would give back. */
  async #disk(trash: TrashId): Promise<{ total: number; free: number; kept: number }> {
    const { total, used } = await this.#usage(trash)
    const kept = this.reclaimable(trash)
    return { total, free: total - used - (trash === ROOT_TRASH ? kept : 0), kept }
  }

  async #sizeOf(kept: StoredKept): Promise<number> {
    if (kept.sizeBytes >= 0) return kept.sizeBytes
    // What cannot be measured weighs as little as anything, and holds up nothing else.
    const sizeBytes = (await this.#content?.sizeOf(kept.name).catch(() => 0)) ?? 0
    this.#rows.setSize(kept.name, sizeBytes)
    return sizeBytes
  }

  /** One removal at a time: two would take the same things. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#pruning.then(() => {
      if (this.#isClosed) throw new Fault('aborted', 'The server is stopping.')
      return work()
    })
    this.#pruning = turn.catch(() => undefined)
    return turn
  }
}
