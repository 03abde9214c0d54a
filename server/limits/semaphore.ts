/** A semaphore with a bounded queue. */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

export class Semaphore {
  readonly #limit: LimitRule
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param atOnce how many tasks run at a time; by default `limit.all` */
  constructor(limit: LimitRule, atOnce = limit.all ?? 1) {
    this.#limit = limit
    this.#atOnce = atOnce
    addGauge(() => ({ what: limit.what, atWork: this.#running, waiting: this.#waiting.length }))
  }

  /**
   * Runs the task when a permit is free.
   *
   * @throws Fault unavailable if the queue is full
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The permit passes to the task that has waited longest.
      if (next) next()
      else this.#running -= 1
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1
      return
    }
    const { waiting = 0, message, retryAfterSec } = this.#limit
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
