/**
 * Allows one process at a time to use an upload, when several servers share one database: while a request uses it, its
 * row names the holder. A later request on another server asks the holder to stop and waits for that, as it would on the
 * same server (upload-locks.ts). Only then it reads the offset, so no bytes are written past what another one
 * acknowledged.
 */
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { Fault } from '#wire/fault.ts'
import { noUpload } from './upload-state.ts'

/** The processes that share the served folder and the database. */
export interface UploadProcesses {
  /** The name of this process. */
  writer: string
  isGone(writer: string): boolean
  isShared(): boolean
}

/** How often a holder looks whether it is asked to stop, and how often one that waits looks whether it has. */
const LOOK_EVERY_MS = 200
/** A holder that does not confirm within this time that it was asked has ended. */
const SILENT_MS = 10_000
/** How long a request waits for a holder that confirms, such as one that publishes a large file. */
const WAIT_MS = 30_000
/** `isShared` reads a folder, so its result is used again for so long. */
const SHARED_LASTS_MS = 1000

/** Ends the use of an upload. */
export type Lease = Disposable

/** A server that shares nothing. */
const ALONE: UploadProcesses = { writer: 'alone', isGone: () => true, isShared: () => false }

export class UploadLeases {
  readonly #rows: UploadRows
  readonly #processes: UploadProcesses
  #count = 0
  #isShared = false
  #sharedAtMs = Number.NEGATIVE_INFINITY

  constructor(rows: UploadRows, processes: UploadProcesses = ALONE) {
    this.#rows = rows
    this.#processes = processes
  }

  /** The name of this process. */
  get writer(): string {
    return this.#processes.writer
  }

  /** Whether another process may use the same database; at most a second old. */
  isShared(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#sharedAtMs < SHARED_LASTS_MS) return this.#isShared
    this.#sharedAtMs = nowMs
    this.#isShared = this.#processes.isShared()
    return this.#isShared
  }

  /** Whether a request on another server uses an upload. */
  async isHeldElsewhere(id: string): Promise<boolean> {
    const holder = (await this.#rows.leaseOf(id))?.holder ?? ''
    return !this.#isFree(holder)
  }

  /**
   * Waits until no other process uses an upload.
   *
   * @param id of the upload
   * @param isLong whether the use may take long, so that another server may start during it. A short one writes nothing
   *   as long as this server is alone.
   * @param stop aborted when another process wants the upload, or the upload is removed
   * @throws Fault locked (the holder does not stop in time)
   */
  async acquire(id: string, isLong: boolean, stop: AbortController): Promise<Lease> {
    const needsNoLease = !isLong && !this.isShared() && !(await this.#isLeftBehind(id))
    if (needsNoLease) return { [Symbol.dispose]: () => undefined }
    this.#count += 1
    const holder = `${this.#processes.writer}.${this.#count}`
    await this.#hold(id, holder)
    const timer = setInterval(
      () => void this.#confirm(id, holder, stop).catch(() => undefined),
      LOOK_EVERY_MS,
    )
    return {
      [Symbol.dispose]: () => {
        clearInterval(timer)
        void this.#rows.release(id, holder)
      },
    }
  }

  /** Whether the row still names a holder of another process, such as one that was killed: it may not publish then. */
  async #isLeftBehind(id: string): Promise<boolean> {
    const [writer = ''] = (await this.#rows.leaseOf(id))?.holder.split('.') ?? []
    return writer !== '' && writer !== this.#processes.writer
  }

  async #hold(id: string, holder: string): Promise<void> {
    const beganMs = performance.now()
    /** Since when the present holder was asked without confirming it. */
    let askedMs: number | undefined
    for (;;) {
      const lease = await this.#rows.leaseOf(id)
      // The request finds out that there is no such upload.
      if (!lease) return
      const nowMs = performance.now()
      const isSilent = askedMs !== undefined && lease.isAsked && nowMs - askedMs >= SILENT_MS
      const isFree = this.#isFree(lease.holder) || isSilent
      if (isFree && (await this.#rows.hold(id, { holder, from: lease.holder }))) return
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

  #isFree(holder: string): boolean {
    const [writer = ''] = holder.split('.')
    return writer === '' || writer === this.#processes.writer || this.#processes.isGone(writer)
  }
}

/** The fault of a request that a later one has stopped. */
export function takenOver(): Fault {
  return new Fault('locked', 'Another request is sending this upload.')
}
