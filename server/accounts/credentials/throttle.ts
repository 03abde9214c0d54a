/**
 * Slows down password guessing: repeated failures block an account or address for longer and longer. The counters are
 * bounded, and shared with the other servers on the same database.
 *
 * A running attempt counts as a possible failure. So parallel attempts allow no more guesses than attempts one after
 * the other; attempts beyond the failures that cause no delay wait until a running one has ended.
 */

import type { FailureRows } from '#server/db/rows/failures.ts'
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
  failureKinds?: () => readonly FailureKind[]
}

export const ALL_FAILURE_KINDS: readonly FailureKind[] = ['pair', 'account', 'address']

export class Throttle {
  readonly #failures: Failures
  /** Key: a counter key; value: how many attempts with it are running. */
  readonly #pending = new Map<string, number>()
  #waiting: (() => void)[] = []
  /** Key: a counter key of an account at an address; value: when its last success was forgiven to the address. */
  readonly #forgivenMs = new Map<string, number>()
  #onBlockedAddress: (address: string) => void = () => undefined

  constructor(rows?: FailureRows) {
    this.#failures = new Failures(rows)
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
      this.#end(passwordAttempt, keys, outcome)
    }
  }

  /** @returns the counter keys of the attempt, for `#end` */
  async #begin(passwordAttempt: PasswordAttempt): Promise<Map<FailureKind, string>> {
    const keys = keysOf(passwordAttempt)
    for (;;) {
      const kinds = this.#kindsFor(passwordAttempt, keys)
      this.#throwIfBlocked(kinds, keys)
      const isFull = kinds.some((kind) => {
        const key = keys.get(kind) ?? ''
        return (this.#pending.get(key) ?? 0) >= Math.max(1, this.#failures.freeLeft(kind, key))
      })
      if (!isFull) break
      await this.#wait()
    }
    for (const key of keys.values()) this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1)
    return keys
  }

  #end(
    { address, group = 'users' }: PasswordAttempt,
    keys: Map<FailureKind, string>,
    outcome: 'right' | 'wrong' | 'neither',
  ): void {
    for (const [kind, key] of keys) {
      const remaining = (this.#pending.get(key) ?? 1) - 1
      if (remaining > 0) this.#pending.set(key, remaining)
      else this.#pending.delete(key)
      if (outcome !== 'wrong') continue
      const isNewlyBlocked = this.#failures.add(kind, key)
      if (isNewlyBlocked && kind === 'address' && group === 'users') this.#onBlockedAddress(address)
    }
    // The right password resets the counter of this account at this address.
    if (outcome === 'right') this.#failures.forget(keys.get('pair') ?? '')
    if (outcome === 'right') this.#forgiveAddress(keys)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /**
   * A success forgives a failure of the address. It counts once in a while for each account, so that an account of one's
   * own gives no endless guesses at others.
   */
  #forgiveAddress(keys: Map<FailureKind, string>): void {
    const pair = keys.get('pair') ?? ''
    const nowMs = Date.now()
    if (nowMs - (this.#forgivenMs.get(pair) ?? Number.NEGATIVE_INFINITY) < ADDRESS_LEAK_MS) return
    this.#forgivenMs.delete(pair)
    this.#forgivenMs.set(pair, nowMs)
    const [oldest] = this.#forgivenMs.keys()
    if (oldest !== undefined && this.#forgivenMs.size > TRACKED_MAX) this.#forgivenMs.delete(oldest)
    this.#failures.forgive('address', keys.get('address') ?? '')
  }

  #kindsFor(
    { failureKinds }: PasswordAttempt,
    keys: Map<FailureKind, string>,
  ): readonly FailureKind[] {
    // `failureKinds` is evaluated only if a counter is used up.
    const isUsedUp = (kind: FailureKind) => this.#failures.freeLeft(kind, keys.get(kind) ?? '') <= 0
    return ALL_FAILURE_KINDS.some(isUsedUp)
      ? (failureKinds?.() ?? ALL_FAILURE_KINDS)
      : ALL_FAILURE_KINDS
  }

  /** @throws Fault tooMany */
  #throwIfBlocked(kinds: readonly FailureKind[], keys: Map<FailureKind, string>): void {
    const untilMs = kinds.map((kind) => this.#failures.blockedUntilMs(keys.get(kind) ?? ''))
    const waitMs = Math.max(...untilMs) - Date.now()
    if (waitMs <= 0) return
    throw new Fault('tooMany', 'Too many attempts. Wait a moment, then try again.', {
      reason: 'attemptsTooMany',
      retryAfterSec: Math.ceil(waitMs / 1000),
    })
  }

  /**
   * Waits until a running attempt has ended.
   *
   * @throws Fault unavailable
   */
  async #wait(): Promise<void> {
    const { waiting, message, retryAfterSec } = CONCURRENCY_LIMITS.passwords
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', message, { retryAfterSec })
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
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
