/**
 * Allows one process at a time to use an upload, when several servers share one database: while a request uses it, its
 * row names the holder. A later request on another server asks the holder to stop and waits for that, as it would on the
 * same server (upload-locks.ts). Only then it reads the offset, so no bytes are written past what another one
 * acknowledged.
 *
 * A holder that does not answer, or whose server has lost its lease, may only sleep. So the later request continues with
 * a copy of the staged file, which replaces it: what the earlier one has open is not a part of the upload any more. Before
 * it opens a file again, it looks whether it still is the holder.
 */
import { ALONE, type Peers, peersInFolder } from '#server/cluster/peers.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { noUpload } from './upload-state.ts'

/** How often a holder looks whether it is asked to stop, and how often one that waits looks whether it has. */
const LOOK_EVERY_MS = 200
/**
 * A holder that does not confirm within this time that it was asked has ended, or sleeps. A server that sleeps for so long
 * publishes nothing when it wakes up (server/cluster/membership.ts).
 */
const SILENT_MS = 13_000
/** A holder that has not looked for this time does so before it writes; shorter than the time after which it may be replaced. */
const SEEN_MS = 5000
/** A request that uses an upload for longer counts as activity, also if its server is killed. */
const TOUCH_EVERY_MS = 60_000
/** How long a request waits for a holder that confirms, such as one that publishes a large file. */
const WAIT_MS = 30_000
/** `isShared` reads a folder, so its result is used again for so long. */
const SHARED_LASTS_MS = 1000

/** The use of an upload by one request. */
export interface UploadUse {
  /** Aborted when another request takes the upload over, or the upload is removed. */
  stop: AbortSignal
  /** As in the row; undefined if no other server may use the upload. */
  holder: string | undefined
  /** Whether another server may take the upload over although this request does not notice. */
  isShared: boolean
  /** Called before bytes or names change. @throws Fault locked (another request uses the upload now), notFound */
  requireOwn(): Promise<void>
}

/** Replaces the staged file of an upload by a copy. @param requireOwn as of `UploadUse` */
type Separate = (id: string, requireOwn: () => Promise<void>) => Promise<void>

type Lease = Omit<UploadUse, 'stop'> & Disposable

export class UploadLeases {
  readonly #rows: UploadRows
  readonly #peers: Peers
  readonly #separate: Separate
  #count = 0
  #isShared = false
  #sharedAtMs = Number.NEGATIVE_INFINITY

  /** @param separate makes the staged file one that no process has open */
  constructor(rows: UploadRows, separate: Separate, peers: Peers = peersInFolder(ALONE)) {
    this.#rows = rows
    this.#separate = separate
    this.#peers = peers
  }

  /** Whether another process may use the same database; at most a second old. */
  isShared(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#sharedAtMs < SHARED_LASTS_MS) return this.#isShared
    this.#sharedAtMs = nowMs
    this.#isShared = this.#peers.isShared()
    return this.#isShared
  }

  /** Whether a request on another server uses an upload. */
  async isHeldElsewhere(id: string): Promise<boolean> {
    const holder = (await this.#rows.leaseOf(id))?.holder ?? ''
    return !(await this.#isFree(holder))
  }

  /**
   * Waits until no other process uses an upload.
   *
   * @param id of the upload
   * @param isLong whether the use may take long, so that another server may start during it. A short one writes nothing
   *   as long as this server is alone.
   * @param stop aborted when another process wants the upload, or the upload is removed
   * @throws Fault locked (the holder does not stop in time); system errors
   */
  async acquire(id: string, isLong: boolean, stop: AbortController): Promise<Lease> {
    const needsNoLease = !isLong && !this.isShared() && !(await this.#isLeftBehind(id))
    if (needsNoLease) return WITHOUT
    this.#count += 1
    const holder = `${this.#peers.writer}.${this.#count}`
    const before = await this.#hold(id, holder)
    let seenMs = performance.now()
    let touchedMs = seenMs
    const look = async () => {
      const beganMs = performance.now()
      await this.#confirm(id, holder, stop)
      seenMs = beganMs
      if (stop.signal.aborted || beganMs - touchedMs < TOUCH_EVERY_MS) return
      touchedMs = beganMs
      await this.#rows.touch(id, Date.now(), holder)
    }
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
    const lease: Lease = {
      holder,
      isShared: this.isShared(),
      requireOwn: async () => {
        if (performance.now() - seenMs >= SEEN_MS) await look()
        stop.signal.throwIfAborted()
      },
      [Symbol.dispose]: () => {
        clearInterval(timer)
        void this.#rows.release(id, holder)
      },
    }
    try {
      if (this.#mayWake(before)) await this.#separate(id, lease.requireOwn)
      return lease
    } catch (error) {
      lease[Symbol.dispose]()
      throw error
    }
  }

  /** Whether the row still names a holder of another process, such as one that was killed: it may not publish then. */
  async #isLeftBehind(id: string): Promise<boolean> {
    const writer = writerOf((await this.#rows.leaseOf(id))?.holder ?? '')
    return writer !== '' && writer !== this.#peers.writer
  }

  /** @returns the holder before, which has not released the upload; empty if there was none */
  async #hold(id: string, holder: string): Promise<string> {
    const beganMs = performance.now()
    /** Since when the present holder was asked without confirming it. */
    let askedMs: number | undefined
    for (;;) {
      const lease = await this.#rows.leaseOf(id)
      // The request finds out that there is no such upload.
      if (!lease) return ''
      const nowMs = performance.now()
      const isSilent = askedMs !== undefined && lease.isAsked && nowMs - askedMs >= SILENT_MS
      const isFree = isSilent || (await this.#isFree(lease.holder))
      if (isFree && (await this.#rows.hold(id, { holder, from: lease.holder }))) return lease.holder
      if (nowMs - beganMs >= WAIT_MS) {
        throw new Fault('locked', 'Another request is sending this upload.')
      }
      if (!isFree && !lease.isAsked) {
        await this.#rows.ask(id, lease.holder)
        askedMs = nowMs
      }
      askedMs ??= nowMs
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }

  /** Ends a request that another process asks to stop, or whose upload was removed. */
  async #confirm(id: string, holder: string, stop: AbortController): Promise<void> {
    const lease = await this.#rows.leaseOf(id)
    if (lease?.holder === holder && !lease.isAsked) return
    if (lease?.holder === holder) await this.#rows.confirm(id, holder)
    stop.abort(lease ? takenOver() : noUpload())
  }

  async #isFree(holder: string): Promise<boolean> {
    const writer = writerOf(holder)
    return writer === '' || writer === this.#peers.writer || (await this.#peers.isGone(writer))
  }

  /** A request of this process has ended before another one begins (upload-locks.ts). */
  #mayWake(holder: string): boolean {
    const writer = writerOf(holder)
    return writer !== '' && writer !== this.#peers.writer && this.#peers.mayWake(writer)
  }
}

/** The use of an upload that no other server knows. */
export const WITHOUT_LEASE: Omit<UploadUse, 'stop'> = {
  holder: undefined,
  isShared: false,
  requireOwn: async () => undefined,
}

const WITHOUT: Lease = {
  ...WITHOUT_LEASE,
  [Symbol.dispose]: () => undefined,
}

/** @returns the process of a holder; empty if there is none */
function writerOf(holder: string): string {
  return holder.split('.')[0] ?? ''
}

/** The fault of a request that a later one has stopped. */
export function takenOver(): Fault {
  return new Fault('locked', 'Another request is sending this upload.')
}
