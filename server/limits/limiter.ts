/**
 * Limits how many requests, tasks, bytes or the like are in use at a time, for each key and in total. What exceeds the
 * limit is refused, or waits in a queue. Those that wait start in the order of their calls, but a key at its own limit
 * does not hold up the others.
 */
import { Fault } from '#wire/fault.ts'
import type { LimitRule } from './concurrency-limits.ts'
import { addGauge } from './gauges.ts'

/** A user id or an address. */
export type LimitKey = string | number

/** A part of what is limited, held until it is disposed of; disposing twice has no effect. */
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
  key: LimitKey
  weight: number
  start: (permit: Permit) => void
}

/** The key of tasks that all belong together. */
const EVERYBODY = ''

export class Limiter {
  readonly #rule: LimitRule
  /** Key: a user id or an address; value: how much it holds. */
  readonly #held = new Map<LimitKey, number>()
  /** What all keys hold, without those that released early. */
  #all = 0
  /** The number of permits that were released early. */
  #overcommitted = 0
  #waiting: Waiting[] = []

  constructor(rule: LimitRule) {
    this.#rule = rule
    addGauge(() => ({ what: rule.what, atWork: this.#all, waiting: this.#waiting.length }))
  }

  /**
   * Takes a permit at once.
   *
   * @param weight how much of the limit is held; more than the whole limit is granted to a caller that is alone
   * @throws Fault tooMany if the key holds its maximum, unavailable if all permits are taken
   */
  acquire(key: LimitKey, weight = 1): Permit {
    if (!this.#fitsKey(key, weight)) throw this.#refusal('tooMany')
    if (!this.#fitsAll(weight)) throw this.#refusal('unavailable')
    return this.#begin(key, weight)
  }

  /**
   * Waits for a permit.
   *
   * @param aborted ends the wait; the result is then undefined
   * @throws Fault tooMany if the key has half of the queue, unavailable if the queue is full
   */
  async wait(key: LimitKey): Promise<Permit>
  async wait(key: LimitKey, aborted: AbortSignal): Promise<Permit | undefined>
  async wait(key: LimitKey, aborted?: AbortSignal): Promise<Permit | undefined> {
    return aborted?.aborted ? undefined : this.#startOrWait(key, 1, aborted)
  }

  /**
   * Runs a task when there is room for it, under a rule without limits for each key.
   *
   * @param weight as for `acquire`
   * @throws Fault unavailable if the queue is full; what the task throws
   */
  async run<T>(task: () => Promise<T>, weight = 1): Promise<T> {
    using _ = await this.#startOrWait(EVERYBODY, weight)
    return await task()
  }

  /** Whether a task of another key could start if one of this key ended. */
  othersWait(key: LimitKey): boolean {
    return this.#waiting.some(
      (other) => other.key !== key && this.#fitsKey(other.key, other.weight),
    )
  }

  #fitsKey(key: LimitKey, weight: number): boolean {
    const held = this.#held.get(key) ?? 0
    return held === 0 || held + weight <= (this.#rule.perKey ?? Infinity)
  }

  #fitsAll(weight: number): boolean {
    return this.#all === 0 || this.#all + weight <= (this.#rule.all ?? Infinity)
  }

  /** Whether a new caller may start: it passes only those that wait for others of their own key. */
  #mayStart(key: LimitKey, weight: number): boolean {
    if (!this.#fitsKey(key, weight) || !this.#fitsAll(weight)) return false
    return !this.#waiting.some((other) => this.#fitsKey(other.key, other.weight))
  }

  async #startOrWait(
    key: LimitKey,
    weight: number,
    aborted?: AbortSignal,
  ): Promise<Permit | undefined> {
    return this.#mayStart(key, weight)
      ? this.#begin(key, weight)
      : this.#enqueue(key, weight, aborted)
  }

  #begin(key: LimitKey, weight: number): Permit {
    this.#all += weight
    this.#held.set(key, (this.#held.get(key) ?? 0) + weight)
    let hasReleased = false
    let isDisposed = false
    return {
      releaseEarly: () => {
        if (isDisposed) return true
        if (hasReleased || this.#overcommitted >= (this.#rule.overcommit ?? 0)) return hasReleased
        hasReleased = true
        this.#overcommitted += 1
        this.#all -= weight
        this.#startNext()
        return true
      },
      [Symbol.dispose]: () => {
        if (isDisposed) return
        isDisposed = true
        if (hasReleased) this.#overcommitted -= 1
        else this.#all -= weight
        this.#end(key, weight)
      },
    }
  }

  #end(key: LimitKey, weight: number): void {
    const remaining = (this.#held.get(key) ?? weight) - weight
    if (remaining > 0) this.#held.set(key, remaining)
    else this.#held.delete(key)
    this.#startNext()
  }

  /** @returns undefined if the wait was aborted */
  #enqueue(
    key: LimitKey,
    weight: number,
    aborted: AbortSignal | undefined,
  ): Promise<Permit | undefined> {
    const { perKey, waiting = 0 } = this.#rule
    const waitingForKey = this.#waiting.filter((other) => other.key === key).length
    if (perKey !== undefined && waitingForKey >= waiting / 2) throw this.#refusal('tooMany')
    if (this.#waiting.length >= waiting) throw this.#refusal('unavailable')
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        resolve(undefined)
        // Those behind it may have waited only for its weight.
        this.#startNext()
      }
      const start = (permit: Permit) => {
        aborted?.removeEventListener('abort', leave)
        resolve(permit)
      }
      const waiter = { key, weight, start }
      this.#waiting.push(waiter)
      aborted?.addEventListener('abort', leave)
    })
  }

  /** Starts those that have waited longest and may start. */
  #startNext(): void {
    for (const waiter of [...this.#waiting]) {
      const { key, weight, start } = waiter
      if (!this.#fitsKey(key, weight)) continue
      // Smaller ones behind it wait too, so that a large one starts some time.
      if (!this.#fitsAll(weight)) return
      this.#waiting = this.#waiting.filter((other) => other !== waiter)
      start(this.#begin(key, weight))
    }
  }

  #refusal(code: 'tooMany' | 'unavailable'): Fault {
    const { message, reason, retryAfterSec } = this.#rule
    // A user can end some of their own, but not those of others.
    const isOwn = code === 'tooMany' && reason
    return new Fault(code, message, { retryAfterSec, ...(isOwn && { reason }) })
  }
}
