/**
 * Shares flushes between callers (docs/decisions.md 26). A single request is flushed at once. While a folder or the
 * database is being flushed, further requests for it are collected, and the next flush serves them all. Different
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

interface Job {
  target: SharedTarget
  done: PromiseWithResolvers<void>
}

export class FlushQueue {
  readonly #flushers: Flushers
  /** Whether all flushing is left to the kernel. */
  readonly isRelaxed: boolean
  readonly #waiting: Job[] = []
  /** Waiting jobs by key, which further requests join. */
  readonly #gathering = new Map<string, Job>()
  /** Keys of the targets that are being flushed; a target is flushed once at a time. */
  readonly #running = new Set<string>()
  /** Numbers the keys of single files. */
  #files = 0

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
    this.#files += 1
    return this.shared({ key: `file ${this.#files}`, open: () => fd, close: () => undefined })
  }

  /**
   * Flushes a shared target with everything written before the call.
   *
   * @throws as `file`
   */
  async shared(target: SharedTarget): Promise<void> {
    if (this.isRelaxed) return
    const gathering = this.#gathering.get(target.key)
    if (gathering) return gathering.done.promise
    if (this.#waiting.length >= FLUSHES_WAITING_MAX) {
      throw new Fault(
        'unavailable',
        'Too many files are waiting to be written to the disk. Try again.',
        {
          retryAfterSec: RETRY_AFTER_SEC,
        },
      )
    }
    const job: Job = { target, done: Promise.withResolvers() }
    this.#waiting.push(job)
    this.#gathering.set(target.key, job)
    this.#assign()
    return job.done.promise
  }

  /** Ends the threads; busy ones end after their flush. */
  close(): void {
    this.#flushers.close()
  }

  #assign(): void {
    for (;;) {
      const next = this.#next()
      if (!next) return
      this.#waiting.splice(this.#waiting.indexOf(next.job), 1)
      // `done` of the job reports the result.
      void this.#run(next.job, next.flusher)
    }
  }

  /** The job that has waited longest among those that can start, and a thread for it. */
  #next(): { job: Job; flusher: Flusher } | undefined {
    for (const job of this.#waiting) {
      const { key, extent = 'file' } = job.target
      if (this.#running.has(key)) continue
      const flusher = this.#flushers.acquire(extent)
      if (flusher) return { job, flusher }
      if (extent !== 'fileSystem') return undefined
    }
    return undefined
  }

  async #run({ target, done }: Job, flusher: Flusher): Promise<void> {
    this.#gathering.delete(target.key)
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
