/**
 * Flushes that are shared (docs/decisions.md 26). Whoever has to wait until something is on the disk asks here, and is
 * answered when it is. A request that comes alone is flushed at once. While a folder or a database is flushed, those
 * who ask for it gather, and the next flush serves them all. Different things are flushed side by side, which file
 * systems commit together. Nothing of it runs on the thread that answers requests.
 */
import { Fault } from '#wire/fault.ts'
import { type Flusher, type Flushers, FlushThreads } from './flush-threads.ts'

/** How many flushes may wait, each with an open file and a request. */
export const FLUSHES_WAITING_MAX = 4096
const RETRY_AFTER_SEC = 5

/** Something that several wait for: one flush serves all who asked before it began. */
export interface SharedTarget {
  /** Names it among all things that are flushed here. */
  key: string
  /** Neither times nor rights of the file: only what is needed to read its bytes. */
  dataOnly?: boolean
  /** Opens it when its flush begins. @throws system errors */
  open(): number
  close(fd: number): void
}

interface Job {
  target: SharedTarget
  done: PromiseWithResolvers<void>
}

export class FlushQueue {
  readonly #flushers: Flushers
  readonly #isRelaxed: boolean
  readonly #waiting: Job[] = []
  /** Jobs that wait, by their keys: others join them. */
  readonly #gathering = new Map<string, Job>()
  readonly #running = new Set<string>()
  #files = 0

  /**
   * @param options.relaxed leaves all flushing to the kernel (`--durability relaxed`)
   * @param flushers who flushes
   */
  constructor(options: { relaxed?: boolean } = {}, flushers: Flushers = new FlushThreads()) {
    this.#isRelaxed = options.relaxed === true
    this.#flushers = flushers
    flushers.onFree = () => this.#assign()
  }

  /**
   * Forces an open file to the disk that nobody else waits for. It stays open until this resolves.
   *
   * @throws system errors; Fault unavailable when too many wait
   */
  file(fd: number): Promise<void> {
    this.#files += 1
    return this.shared({ key: `file ${this.#files}`, open: () => fd, close: () => undefined })
  }

  /**
   * Forces something to the disk, with all that was written to it before the call.
   *
   * @throws as `file`
   */
  async shared(target: SharedTarget): Promise<void> {
    if (this.#isRelaxed) return
    const gathering = this.#gathering.get(target.key)
    if (gathering) return gathering.done.promise
    if (this.#waiting.length >= FLUSHES_WAITING_MAX) {
      throw new Fault('unavailable', 'Too many files wait for the disk. Try again.', {
        retryAfterSec: RETRY_AFTER_SEC,
      })
    }
    const job: Job = { target, done: Promise.withResolvers() }
    this.#waiting.push(job)
    this.#gathering.set(target.key, job)
    this.#assign()
    return job.done.promise
  }

  /** Ends the threads, those that are at work when they are done. */
  close(): void {
    this.#flushers.close()
  }

  #assign(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ target }) => !this.#running.has(target.key))
      const flusher = at >= 0 && this.#flushers.take()
      if (!flusher) return
      const [job] = this.#waiting.splice(at, 1)
      if (job) void this.#run(job, flusher)
    }
  }

  async #run({ target, done }: Job, flusher: Flusher): Promise<void> {
    this.#gathering.delete(target.key)
    this.#running.add(target.key)
    try {
      const fd = target.open()
      try {
        await flusher.flush(fd, target.dataOnly === true)
      } finally {
        target.close(fd)
      }
      done.resolve()
    } catch (error) {
      done.reject(error)
    } finally {
      this.#running.delete(target.key)
      this.#flushers.giveBack(flusher)
      this.#assign()
    }
  }
}
