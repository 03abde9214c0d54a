/** Limits how many requests, tasks or the like exist at a time, for each key and in total. */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

export class ConcurrencyLimit {
  readonly #limit: LimitRule
  /** Key: a user id or an address; value: how many permits it holds. */
  readonly #held = new Map<string | number, number>()
  /** The number of permits that all keys hold. */
  #all = 0

  constructor(limit: LimitRule) {
    this.#limit = limit
    addGauge(() => ({ what: limit.what, atWork: this.#all, waiting: 0 }))
  }

  /**
   * Takes `count` permits until the result is disposed of; disposing twice has no effect.
   *
   * @param key a user id, or an address
   * @param count a count above `perKey` is granted to a key that holds none
   * @throws Fault tooMany if the key holds its maximum, unavailable if all permits are taken
   */
  acquire(key: string | number, count = 1): Disposable {
    const { perKey = Infinity, all = Infinity, message, reason, retryAfterSec } = this.#limit
    const held = this.#held.get(key) ?? 0
    if (held > 0 && held + count > perKey) {
      throw new Fault('tooMany', message, { retryAfterSec, ...(reason && { reason }) })
    }
    if (this.#all > 0 && this.#all + count > all)
      throw new Fault('unavailable', message, { retryAfterSec })
    this.#all += count
    this.#held.set(key, held + count)
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(key, count)
        isHeld = false
      },
    }
  }

  #release(key: string | number, count: number): void {
    this.#all -= count
    const remaining = (this.#held.get(key) ?? count) - count
    if (remaining > 0) this.#held.set(key, remaining)
    else this.#held.delete(key)
  }
}
