/**
 * How long deleted and replaced content is kept: by age, by its share of the disk, by the number of versions of one
 * file, whichever is reached first, the oldest first. When the disk fills, it gives way before a write fails.
 */
import type { KeptRows, StoredKept } from '#server/db/kept.ts'
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
}

/** Changes that keep something are followed by one look at the limits, so much later. */
const LOOK_AFTER_MS = 1000
/** What a full disk is given back at a time. */
const ROOM_BYTES = 64 * 1024 * 1024

/** What is still being sent takes room until it is closed, a moment after its last byte. */
const CLOSING_MS = 1000

export class Trash {
  readonly #rows: KeptRows
  readonly #content: Kept | undefined
  readonly #usage: () => Promise<Usage>
  readonly #options: TrashOptions
  #soon: Timer | undefined
  #pruning: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** Things that went for ever. */
  #discarded = 0
  #discardedMs = 0

  /**
   * @param content of the whole served tree; undefined where nothing can be kept
   * @param usage of its disk, with the trash taken for free
   */
  constructor(
    rows: KeptRows,
    content: Kept | undefined,
    usage: () => Promise<Usage>,
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

  /** How much room it would give back, as far as it is measured. */
  reclaimable(): number {
    return this.#rows.sizeBytes(this.#options.root)
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

  /** Removes the oldest until a full disk has some room again. @returns false when nothing is left */
  makeRoom(): Promise<boolean> {
    const before = this.#discarded
    return this.#inTurn(async () => {
      if (this.#discarded > before) return true
      let freed = 0
      let found = false
      for (const kept of this.#rows.oldestFirst(this.#options.root)) {
        found = true
        freed += await this.#sizeOf(kept)
        await this.discard(kept)
        if (freed >= ROOM_BYTES) break
      }
      if (found || Date.now() - this.#discardedMs > CLOSING_MS) return found
      await Bun.sleep(CLOSING_MS / 20)
      return true
    })
  }

  /** The same before so many bytes are written, if the disk has less room than that. */
  async makeRoomFor(bytes: number): Promise<void> {
    for (;;) {
      const { total, used } = await this.#usage()
      // What would not fit in without all of it neither takes nothing of it.
      const [free, kept] = [total - used, this.reclaimable()]
      if (free < bytes || free - kept >= bytes || !(await this.makeRoom())) return
    }
  }

  /** Removes one thing for ever. */
  async discard({ name }: Pick<StoredKept, 'name'>): Promise<void> {
    await this.#content?.discard(name)
    this.#discarded += 1
    this.#discardedMs = Date.now()
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
    const { root, keepMs, sharePercent, versionsMax } = this.#options
    const gone = new Set<string>()
    const discard = async (kept: StoredKept) => {
      await this.discard(kept)
      gone.add(kept.name)
    }
    for (const kept of this.#rows.unmeasured(root)) {
      if (this.#isClosed) return 0
      await this.#sizeOf(kept)
    }
    for (const kept of this.#rows.versionsBeyond(root, versionsMax)) await discard(kept)
    const { total } = await this.#usage()
    let beyond = this.reclaimable() - (total * sharePercent) / 100
    const agedMs = Date.now() - keepMs
    for (const kept of this.#rows.oldestFirst(root)) {
      if (content.mark(kept.name) === undefined) {
        // It came back, or was taken away, while nobody could write that down.
        this.#rows.remove(kept.name)
        continue
      }
      if (kept.atMs >= agedMs && beyond <= 0) break
      beyond -= Math.max(kept.sizeBytes, 0)
      await discard(kept)
    }
    await this.#discardStrangers(agedMs, content)
    return gone.size
  }

  /** What no row of this database names may be another one's: only age condemns it. */
  async #discardStrangers(agedMs: number, content: Kept): Promise<void> {
    for (const { name, sinceMs } of content.list()) {
      if (sinceMs < agedMs && !this.#rows.findByName(name)) await content.discard(name)
    }
  }

  async #sizeOf(kept: StoredKept): Promise<number> {
    if (kept.sizeBytes >= 0) return kept.sizeBytes
    const sizeBytes = (await this.#content?.sizeOf(kept.name)) ?? 0
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
