/**
 * A semaphore with limits for each key and for all. Waiting tasks start in the order of their calls, but a key at its
 * limit does not hold up the others.
 */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

/** The right of a task to run, until it is disposed of. */
export interface Permit extends Disposable {
  /**
   * Lets another task start although this task continues, for a task that cannot stop now. The limit of its own key
   * still counts this task. At most `overcommit` tasks may do so at a time.
   *
   * @returns whether another task may start
   */
  releaseEarly(): boolean
}

interface Waiting {
  key: string | number
  start: () => void
}

export class FairSemaphore {
  readonly #limit: LimitRule
  /** Key: a user id or an address; value: how many of its tasks run. */
  readonly #running = new Map<string | number, number>()
  /** The number of running tasks, without those that released early. */
  #all = 0
  /** The number of running tasks that released early. */
  #overcommitted = 0
  #waiting: Waiting[] = []

  constructor(limit: LimitRule) {
    this.#limit = limit
    addGauge(() => ({ what: limit.what, atWork: this.#all, waiting: this.#waiting.length }))
  }

  /**
   * Waits for a permit.
   *
   * @param key a user id, or an address
   * @param aborted ends the wait; the result is then undefined
   * @throws Fault tooMany if the key has half of the queue, unavailable if the queue is full
   */
  async acquire(key: string | number): Promise<Permit>
  async acquire(key: string | number, aborted: AbortSignal): Promise<Permit | undefined>
  async acquire(key: string | number, aborted?: AbortSignal): Promise<Permit | undefined> {
    if (aborted?.aborted) return undefined
    if (this.#isFree(key)) this.#begin(key)
    else if (!(await this.#wait(key, aborted))) return undefined
    let hasReleased = false
    let isDisposed = false
    return {
      releaseEarly: () => {
        if (isDisposed) return true
        if (hasReleased || this.#overcommitted >= (this.#limit.overcommit ?? 0)) return hasReleased
        hasReleased = true
        this.#overcommitted += 1
        this.#all -= 1
        this.#startNext()
        return true
      },
      [Symbol.dispose]: () => {
        if (isDisposed) return
        isDisposed = true
        if (hasReleased) this.#overcommitted -= 1
        else this.#all -= 1
        this.#end(key)
      },
    }
  }

  /** Whether a task of another key could start if one of this key ended. */
  othersWait(key: string | number): boolean {
    const { perKey = Infinity } = this.#limit
    return this.#waiting.some(
      (waiter) => waiter.key !== key && (this.#running.get(waiter.key) ?? 0) < perKey,
    )
  }

  #isFree(key: string | number): boolean {
    const { perKey = Infinity, all = Infinity } = this.#limit
    return this.#all < all && (this.#running.get(key) ?? 0) < perKey
  }

  #begin(key: string | number): void {
    this.#all += 1
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  /** @returns false if the wait was aborted */
  #wait(key: string | number, aborted: AbortSignal | undefined): Promise<boolean> {
    const { waiting = 0, message, retryAfterSec } = this.#limit
    const waitingForKey = this.#waiting.filter((waiter) => waiter.key === key).length
    if (waitingForKey >= waiting / 2) throw new Fault('tooMany', message, { retryAfterSec })
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        resolve(false)
      }
      const start = () => {
        aborted?.removeEventListener('abort', leave)
        resolve(true)
      }
      const waiter = { key, start }
      this.#waiting.push(waiter)
      aborted?.addEventListener('abort', leave)
    })
  }

  #end(key: string | number): void {
    const remaining = (this.#running.get(key) ?? 1) - 1
    if (remaining > 0) this.#running.set(key, remaining)
    else this.#running.delete(key)
    this.#startNext()
  }

  /** Starts the task that has waited longest among those that may start. */
  #startNext(): void {
    const index = this.#waiting.findIndex((waiter) => this.#isFree(waiter.key))
    if (index < 0) return
    const [waiter] = this.#waiting.splice(index, 1)
    if (!waiter) return
    this.#begin(waiter.key)
    waiter.start()
  }
}
