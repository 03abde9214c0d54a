/** Work of which so much is done at a time, and so much more may wait for it. */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

export class Semaphore {
  readonly #limit: LimitRule
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #atWork = 0

  /** @param atOnce where the bound leaves it open */
  constructor(limit: LimitRule, atOnce = limit.all ?? 1) {
    this.#limit = limit
    this.#atOnce = atOnce
    addGauge(() => ({ what: limit.what, atWork: this.#atWork, waiting: this.#waiting.length }))
  }

  /** Does the work when its turn comes. @throws Fault unavailable when too many wait already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever waited longest goes on in this one's place.
      if (next) next()
      else this.#atWork -= 1
    }
  }

  async #acquire(): Promise<void> {
    if (this.#atWork < this.#atOnce) {
      this.#atWork += 1
      return
    }
    const { waiting = 0, message, retryAfterSec } = this.#limit
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
