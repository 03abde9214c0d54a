/**
 * Slows down password guessing: repeated failures block an account or address for longer and longer. The counters are
 * bounded, and shared with the other servers on the same database.
 *
 * A running attempt counts as a possible failure. So parallel attempts allow no more guesses than attempts one after
 * the other; attempts beyond the failures that cause no delay wait until a running one has ended.
 */

import type { FailureRows } from '#server/db/rows/failures.ts'
import type { RunningAttempts } from '#server/db/running-attempts.ts'
import { networkPrefix } from '#server/lib/network.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ADDRESS_LEAK_MS, type FailureKind, Failures, TRACKED_MAX } from './failures.ts'

export interface PasswordAttempt {
  /** Names the target: a user, a share, or all invitations. */
  account: string
  address: string
  /** Passwords of users, of shares, and app passwords have separate counters of an address, so that none blocks another. */
  group?: 'users' | 'shares' | 'appPasswords'
  /** The counters that may block this attempt; by default all. */
  failureKinds?: () => Promise<readonly FailureKind[]>
}

/** How often it is looked whether an attempt at another server has ended. */
const OTHER_SERVERS_MS = 100

export const ALL_FAILURE_KINDS: readonly FailureKind[] = ['pair', 'account', 'address']

export class Throttle {
  readonly #failures: Failures
  readonly #running: RunningAttempts | undefined
  /** Key: a counter key; value: how many attempts with it are running. */
  readonly #pending = new Map<string, number>()
  #waiting: (() => void)[] = []
  /** Key: a counter key of an account at an address; value: when its last success was forgiven to the address. */
  readonly #forgivenMs = new Map<string, number>()
  #onBlockedAddress: (address: string) => void = () => undefined
  /** How many attempts have ended. */
  #endings = 0

  /**
   * @param rows the counters of all servers that share the database; without it, they are only in memory
   * @param running the attempts at all of them; without it, only those here count as possible failures
   */
  constructor(rows?: FailureRows, running?: RunningAttempts) {
    this.#failures = new Failures(rows)
    this.#running = running
  }

  /** @param report is called when sign-ins from an address begin to be blocked */
  onBlockedAddress(report: (address: string) => void): void {
    this.#onBlockedAddress = report
  }

  /**
   * Compares a password when the counters allow it.
   *
   * @param compare a Fault wrongCredentials, or false, means a wrong password; any other error counts as neither
   *   right nor wrong
   * @returns its result
   * @throws Fault tooMany with the seconds to wait, unavailable if too many wait; and what `compare` throws
   */
  async attempt<T>(passwordAttempt: PasswordAttempt, compare: () => Promise<T>): Promise<T> {
    const keys = await this.#begin(passwordAttempt)
    let outcome: 'right' | 'wrong' | 'neither' = 'neither'
    try {
      const result = await compare()
      outcome = result === false ? 'wrong' : 'right'
      return result
    } catch (error) {
      if (isFault(error, 'wrongCredentials')) outcome = 'wrong'
      throw error
    } finally {
      await this.#end(passwordAttempt, keys, outcome)
    }
  }

  /** @returns the counter keys of the attempt, for `#end` */
  async #begin(passwordAttempt: PasswordAttempt): Promise<Map<FailureKind, string>> {
    const keys = keysOf(passwordAttempt)
    for (;;) {
      const endings = this.#endings
      const kinds = await this.#kindsFor(passwordAttempt, keys)
      await this.#throwIfBlocked(kinds, keys)
      const free = new Map<string, number>()
      for (const kind of kinds) {
        const key = keys.get(kind) ?? ''
        free.set(key, Math.max(1, await this.#failures.freeLeft(kind, key)))
      }
      // An attempt that has ended since may have changed the counters.
      if (endings !== this.#endings) continue
      // Nothing is waited for until the place is taken, so no other attempt takes the same one.
      const isFull = [...free].some(([key, left]) => (this.#pending.get(key) ?? 0) >= left)
      if (!isFull) {
        for (const key of keys.values()) this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
        if (await this.#isFreeElsewhere(kinds, keys)) return keys
        this.#stopCounting(keys)
      }
      await this.#wait()
    }
  }

  /**
   * Counts an attempt as running at all servers, unless those of other servers have taken the last place. It counts first
   * and looks at the failures then: the failure of an attempt that has ended in between is among these.
   */
  async #isFreeElsewhere(
    kinds: readonly FailureKind[],
    keys: Map<FailureKind, string>,
  ): Promise<boolean> {
    if (!this.#running) return true
    try {
      const running = await this.#running.begin([...keys.values()])
      for (const kind of kinds) {
        const key = keys.get(kind) ?? ''
        const left = Math.max(1, await this.#failures.freeLeft(kind, key))
        const isBlocked = (await this.#failures.waitMs(key)) > 0
        if (!isBlocked && (running.get(key) ?? 0) <= left) continue
        await this.#running.end([...keys.values()])
        return false
      }
    } catch {
      // The disk of the database is full, or it does not answer: the attempts here are counted.
    }
    return true
  }

  async #end(
    { address, group = 'users' }: PasswordAttempt,
    keys: Map<FailureKind, string>,
    outcome: 'right' | 'wrong' | 'neither',
  ): Promise<void> {
    try {
      if (outcome === 'wrong') await this.#countFailure(address, group, keys)
      // The right password resets the counter of this account at this address.
      if (outcome === 'right') await this.#failures.forget(keys.get('pair') ?? '')
      if (outcome === 'right') await this.#forgiveAddress(keys)
    } finally {
      // Without an answer of the database, the attempt counts as running for a while.
      await this.#running?.end([...keys.values()]).catch(() => undefined)
      this.#release(keys)
    }
  }

  async #countFailure(
    address: string,
    group: PasswordAttempt['group'],
    keys: Map<FailureKind, string>,
  ): Promise<void> {
    for (const [kind, key] of keys) {
      const isNewlyBlocked = await this.#failures.add(kind, key)
      if (isNewlyBlocked && kind === 'address' && group === 'users') this.#onBlockedAddress(address)
    }
  }

  /** Ends an attempt, after it was counted: no other one may begin in between. */
  #release(keys: Map<FailureKind, string>): void {
    this.#endings += 1
    this.#stopCounting(keys)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  #stopCounting(keys: Map<FailureKind, string>): void {
    for (const key of keys.values()) {
      const remaining = (this.#pending.get(key) ?? 1) - 1
      if (remaining > 0) this.#pending.set(key, remaining)
      else this.#pending.delete(key)
    }
  }

  /**
   * A success forgives a failure of the address. It counts once in a while for each account, so that an account of one's
   * own gives no endless guesses at others.
   */
  async #forgiveAddress(keys: Map<FailureKind, string>): Promise<void> {
    const pair = keys.get('pair') ?? ''
    const nowMs = Date.now()
    if (nowMs - (this.#forgivenMs.get(pair) ?? Number.NEGATIVE_INFINITY) < ADDRESS_LEAK_MS) return
    this.#forgivenMs.delete(pair)
    this.#forgivenMs.set(pair, nowMs)
    const [oldest] = this.#forgivenMs.keys()
    if (oldest !== undefined && this.#forgivenMs.size > TRACKED_MAX) this.#forgivenMs.delete(oldest)
    await this.#failures.forgive('address', keys.get('address') ?? '')
  }

  async #kindsFor(
    { failureKinds }: PasswordAttempt,
    keys: Map<FailureKind, string>,
  ): Promise<readonly FailureKind[]> {
    // `failureKinds` is evaluated only if a counter is used up.
    for (const kind of ALL_FAILURE_KINDS) {
      const left = await this.#failures.freeLeft(kind, keys.get(kind) ?? '')
      if (left <= 0) return (await failureKinds?.()) ?? ALL_FAILURE_KINDS
    }
    return ALL_FAILURE_KINDS
  }

  /** @throws Fault tooMany */
  async #throwIfBlocked(
    kinds: readonly FailureKind[],
    keys: Map<FailureKind, string>,
  ): Promise<void> {
    const waitsMs = await Promise.all(
      kinds.map((kind) => this.#failures.waitMs(keys.get(kind) ?? '')),
    )
    const waitMs = Math.max(...waitsMs)
    if (waitMs <= 0) return
    throw new Fault('tooMany', 'Too many attempts. Wait a moment, then try again.', {
      reason: 'attemptsTooMany',
      retryAfterSec: Math.ceil(waitMs / 1000),
    })
  }

  /**
   * Waits until a running attempt has ended; not long if it may run at another server.
   *
   * @throws Fault unavailable
   */
  async #wait(): Promise<void> {
    const { waiting, message, retryAfterSec } = CONCURRENCY_LIMITS.passwords
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const timer = this.#running && setTimeout(resolve, OTHER_SERVERS_MS)
    await promise
    clearTimeout(timer)
    this.#waiting = this.#waiting.filter((other) => other !== resolve)
  }
}

function keysOf({ account, address, group = 'users' }: PasswordAttempt): Map<FailureKind, string> {
  const network = networkPrefix(address)
  return new Map<FailureKind, string>([
    ['pair', `pair\0${account}\0${network}`],
    ['account', `account\0${account}`],
    ['address', `address\0${group}\0${network}`],
  ])
}
