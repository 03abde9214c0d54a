/**
 * Shares flushes between callers (docs/decisions.md 26). A single request is flushed at once. While a folder or the
 * database is being flushed, further requests for it wait, and the next flush serves them all. Different
 * files are flushed in parallel, which file systems combine. Flushing never blocks the main thread.
 */
import { Fault } from '#wire/fault.ts'
import { type Flusher, type Flushers, FlushThreads } from './flush-threads.ts'
import type { FlushExtent } from './flush-worker.ts'

/** Limit of waiting flushes, each with an open file and a request. */
export const FLUSHES_WAITING_MAX = 4096
const RETRY_AFTER_SEC = 5

/** A target that several callers flush: one flush serves all who asked before it started. */
export interface SharedTarget {
  /** Identifies the target. */
  key: string
  /** What is flushed; by default the file. */
  extent?: FlushExtent
  /**
   * Opens the target when its flush starts.
   *
   * @throws system errors
   */
  open(): number
  close(fd: number): void
}

interface PendingFlush {
  target: SharedTarget
  done: PromiseWithResolvers<void>
}

export class FlushQueue {
  readonly #flushers: Flushers
  /** Whether all flushing is left to the kernel. */
  readonly isRelaxed: boolean
  readonly #waiting: PendingFlush[] = []
  /** Key: `SharedTarget.key`; value: a waiting flush, which further requests join. */
  readonly #joinable = new Map<string, PendingFlush>()
  /** Keys of the targets that are being flushed; a target is flushed once at a time. */
  readonly #running = new Set<string>()
  /** The number of single files so far, for their keys. */
  #fileCount = 0

  /**
   * @param options.relaxed leaves all flushing to the kernel (`--durability relaxed`)
   * @param flushers the threads
   */
  constructor(options: { relaxed?: boolean } = {}, flushers: Flushers = new FlushThreads()) {
    this.isRelaxed = options.relaxed === true
    this.#flushers = flushers
    flushers.onFree = () => this.#assign()
  }

  /**
   * Flushes an open file that has no other callers. It must stay open until this settles.
   *
   * @throws system errors; Fault unavailable if too many wait
   */
  file(fd: number): Promise<void> {
    this.#fileCount += 1
    return this.shared({ key: `file ${this.#fileCount}`, open: () => fd, close: () => undefined })
  }

  /**
   * Flushes a shared target with everything written before the call.
   *
   * @throws as `file`
   */
  async shared(target: SharedTarget): Promise<void> {
    if (this.isRelaxed) return
    const joinable = this.#joinable.get(target.key)
    if (joinable) return joinable.done.promise
    if (this.#waiting.length >= FLUSHES_WAITING_MAX) {
      throw new Fault(
        'unavailable',
        'Too many files are waiting to be written to the disk. Try again.',
        {
          retryAfterSec: RETRY_AFTER_SEC,
        },
      )
    }
    const pending: PendingFlush = { target, done: Promise.withResolvers() }
    this.#waiting.push(pending)
    this.#joinable.set(target.key, pending)
    this.#assign()
    return pending.done.promise
  }

  /** Ends the threads; busy ones end after their flush. */
  close(): void {
    this.#flushers.close()
  }

  #assign(): void {
    for (;;) {
      const next = this.#next()
      if (!next) return
      this.#waiting.splice(this.#waiting.indexOf(next.pending), 1)
      // `done` of the flush reports the result.
      void this.#run(next.pending, next.flusher)
    }
  }

  /** The flush that has waited longest among those that can start, and a thread for it. */
  #next(): { pending: PendingFlush; flusher: Flusher } | undefined {
    for (const pending of this.#waiting) {
      const { key, extent = 'file' } = pending.target
      if (this.#running.has(key)) continue
      const flusher = this.#flushers.acquire(extent)
      if (flusher) return { pending, flusher }
      if (extent !== 'fileSystem') return undefined
    }
    return undefined
  }

  async #run({ target, done }: PendingFlush, flusher: Flusher): Promise<void> {
    this.#joinable.delete(target.key)
    this.#running.add(target.key)
    try {
      const fd = target.open()
      try {
        await flusher.flush(fd, target.extent ?? 'file')
      } finally {
        target.close(fd)
      }
      done.resolve()
    } catch (error) {
      done.reject(error)
    } finally {
      this.#running.delete(target.key)
      this.#flushers.release(flusher)
      this.#assign()
    }
  }
}
