/**
 * Guessing made slow: who fails often waits longer each time, by account and by address. Kept in
 * memory, bounded; a restart forgets, which costs a guesser more than it gives.
 *
 * A try counts from its beginning: of many at once no more are looked at than would be one after
 * the other, the rest wait until those before them have failed or not.
 */
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { networkOf } from '#server/access/network.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { Failures, type Kind } from './failures.ts'

export interface Attempt {
  /** What is being opened: a user's name, a link's hash. */
  account: string
  address: string
  /**
   * What counts against this try, where some of it is used up; all by default. Whoever is known not to
   * be a stranger is not shut out by what others did.
   */
  counted?: () => readonly Kind[]
}

export const ALL_KINDS: readonly Kind[] = ['pair', 'account', 'address']

export class Throttle {
  readonly #failures = new Failures()
  /** Tries under way, by what is counted. */
  readonly #pending = new Map<string, number>()
  #waiting: (() => void)[] = []

  /**
   * Compares a password when its turn comes, if it may be compared at all.
   *
   * @param compare a Fault wrongCredentials, or false, is a wrong password; anything else that it
   *   throws is neither right nor wrong
   * @returns what it said
   * @throws Fault tooMany with the seconds to wait, unavailable when too many wait already; and what
   *   `compare` throws
   */
  async attempt<T>(one: Attempt, compare: () => Promise<T>): Promise<T> {
    const keys = await this.#begin(one)
    let outcome: 'right' | 'wrong' | 'neither' = 'neither'
    try {
      const result = await compare()
      outcome = result === false ? 'wrong' : 'right'
      return result
    } catch (error) {
      if (isFault(error, 'wrongCredentials')) outcome = 'wrong'
      throw error
    } finally {
      this.#end(keys, outcome)
    }
  }

  /** @returns what the try is counted by, for `#end` */
  async #begin(one: Attempt): Promise<Map<Kind, string>> {
    const keys = keysOf(one)
    for (;;) {
      const kinds = this.#kindsFor(one, keys)
      this.#refuseClosed(kinds, keys)
      const isFull = kinds.some((kind) => {
        const key = keys.get(kind) ?? ''
        return (this.#pending.get(key) ?? 0) >= Math.max(1, this.#failures.left(kind, key))
      })
      if (!isFull) break
      await this.#wait()
    }
    for (const key of keys.values()) this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
    return keys
  }

  #end(keys: Map<Kind, string>, outcome: 'right' | 'wrong' | 'neither'): void {
    for (const [kind, key] of keys) {
      const left = (this.#pending.get(key) ?? 1) - 1
      if (left > 0) this.#pending.set(key, left)
      else this.#pending.delete(key)
      if (outcome === 'wrong') this.#failures.add(kind, key)
    }
    // The right password: this account at this address starts afresh.
    if (outcome === 'right') this.#failures.forget(keys.get('pair') ?? '')
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  #kindsFor({ counted }: Attempt, keys: Map<Kind, string>): readonly Kind[] {
    // Looked up only where it makes a difference.
    const isUsedUp = (kind: Kind) => this.#failures.left(kind, keys.get(kind) ?? '') <= 0
    return ALL_KINDS.some(isUsedUp) ? (counted?.() ?? ALL_KINDS) : ALL_KINDS
  }

  /** @throws Fault tooMany */
  #refuseClosed(kinds: readonly Kind[], keys: Map<Kind, string>): void {
    const until = kinds.map((kind) => this.#failures.closedUntilMs(keys.get(kind) ?? ''))
    const waitMs = Math.max(...until) - Date.now()
    if (waitMs <= 0) return
    throw new Fault('tooMany', 'Too many attempts. Wait a moment, then try again.', {
      retryAfterSec: Math.ceil(waitMs / 1000),
    })
  }

  /** Until one of the tries under way has ended. @throws Fault unavailable */
  async #wait(): Promise<void> {
    const { waiting, message, retryAfterSec } = CONCURRENCY_LIMITS.passwords
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

function keysOf({ account, address }: Attempt): Map<Kind, string> {
  const network = networkOf(address)
  return new Map<Kind, string>([
    ['pair', `pair\0${account}\0${network}`],
    ['account', `account\0${account}`],
    ['address', `address\0${network}`],
  ])
}
