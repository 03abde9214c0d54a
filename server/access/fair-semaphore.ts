/** Work of which so much is done at a time, of one and of all; the rest waits, and nobody before others. */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

interface Waiting {
  key: string | number
  go: () => void
}

export class FairSemaphore {
  readonly #limit: LimitRule
  readonly #atWork = new Map<string | number, number>()
  #all = 0
  #waiting: Waiting[] = []

  constructor(limit: LimitRule) {
    this.#limit = limit
    addGauge(() => ({ what: limit.what, atWork: this.#all, waiting: this.#waiting.length }))
  }

  /**
   * Waits for a turn; it lasts until the returned thing is disposed of.
   *
   * @param key a person's number, or an address
   * @throws Fault tooMany when half of those who may wait are one's own, unavailable when nobody more
   *   may wait
   */
  async take(key: string | number): Promise<Disposable> {
    if (!this.#isFree(key)) await this.#wait(key)
    else this.#begin(key)
    return { [Symbol.dispose]: () => this.#end(key) }
  }

  #isFree(key: string | number): boolean {
    const { own = Infinity, all = Infinity } = this.#limit
    return this.#all < all && (this.#atWork.get(key) ?? 0) < own
  }

  #begin(key: string | number): void {
    this.#all += 1
    this.#atWork.set(key, (this.#atWork.get(key) ?? 0) + 1)
  }

  #wait(key: string | number): Promise<void> {
    const { waiting = 0, message, retryAfterSec } = this.#limit
    const own = this.#waiting.filter((one) => one.key === key).length
    if (own >= waiting / 2) throw new Fault('tooMany', message, { retryAfterSec })
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    return new Promise<void>((go) => this.#waiting.push({ key, go }))
  }

  #end(key: string | number): void {
    this.#all -= 1
    const left = (this.#atWork.get(key) ?? 1) - 1
    if (left > 0) this.#atWork.set(key, left)
    else this.#atWork.delete(key)
    // Whoever waited longest of those who may.
    const next = this.#waiting.findIndex((one) => this.#isFree(one.key))
    if (next < 0) return
    const [one] = this.#waiting.splice(next, 1)
    if (!one) return
    this.#begin(one.key)
    one.go()
  }
}
