/**
 * Copies the log of the embedded database into its file, in a thread. SQLite would do that in the thread that has filled
 * the log, which serves all requests.
 */
import { WorkerPool } from '#server/lib/worker-pool.ts'
import type { CheckpointRequest, CheckpointResponse } from './checkpoint-worker.ts'

/** A checkpoint is made after about so many pages, as SQLite does. */
const PAGES = 1000
/** Nothing tells how many pages the log has, so rows are counted. How many rows change so many pages is learned. */
const FIRST_ROWS = 400
const ROWS_MIN = 100
const ROWS_MAX = 10_000
/** A thread without work ends after this time. */
const IDLE_MS = 60_000

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/db/checkpoint-worker.ts'
  : new URL('./checkpoint-worker.ts', import.meta.url)

export class Checkpoints {
  readonly #path: string
  readonly #pool = new WorkerPool<CheckpointRequest, CheckpointResponse>(WORKER, {
    size: 1,
    idleMs: IDLE_MS,
  })
  /** How many rows had been changed at the last one. */
  #rowsBefore = 0
  /** How many rows the last one is for. */
  #rowsSince = 0
  /** After how many rows the next one is due. */
  #every = FIRST_ROWS

  /** @param path of the database file */
  constructor(path: string) {
    this.#path = path
  }

  /**
   * @param rows how many rows were changed so far
   * @returns whether `make` should be called; once for each checkpoint
   */
  isDue(rows: number): boolean {
    if (rows - this.#rowsBefore < this.#every) return false
    this.#rowsSince = rows - this.#rowsBefore
    this.#rowsBefore = rows
    return true
  }

  /**
   * To be called while this process writes nothing, so that the whole log is copied. If it cannot be copied now, because
   * another process uses it or the disk fails, it grows until the next time; nothing is lost.
   */
  async make(): Promise<void> {
    const done = await this.#pool.ask({ path: this.#path }, undefined).catch(() => undefined)
    if (!done) return
    const every = (this.#rowsSince * PAGES) / Math.max(1, done.pages)
    this.#every = Math.min(ROWS_MAX, Math.max(ROWS_MIN, every))
  }

  close(): void {
    this.#pool.close()
  }
}
