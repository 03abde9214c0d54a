/**
 * Guessing made slow: who fails often waits longer each time, by account and by address. Kept in
 * memory, bounded; a restart forgets, which costs a guesser more than it gives.
 */
import { networkOf } from '#server/access/network.ts'
import { Fault } from '#wire/fault.ts'

/** Failures that cost nothing: people mistype. */
const FREE = { pair: 8, account: 60, address: 30 } as const
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15 * 60_000
/** A quiet spell after which failures are forgotten. */
const FORGET_MS = 60 * 60_000
const REMEMBERED_MAX = 50_000

type Kind = keyof typeof FREE

interface Failures {
  count: number
  /** Until then further tries are not even looked at. */
  closedUntilMs: number
  lastMs: number
}

export class Throttle {
  readonly #failures = new Map<string, Failures>()

  /**
   * Asked before a password is compared.
   *
   * @param account what is being opened: a user's name, a link's hash
   * @param known the caller already holds a session of this account: others' guessing does not shut
   *   them out
   * @throws Fault tooMany with the seconds to wait
   */
  mayTry(account: string, address: string, known = false): void {
    const now = Date.now()
    const kinds: Kind[] = known ? ['pair'] : ['pair', 'account', 'address']
    const closed = kinds.map((kind) => this.#find(kind, account, address)?.closedUntilMs ?? 0)
    const waitMs = Math.max(...closed) - now
    if (waitMs <= 0) return
    throw new Fault('tooMany', 'Too many attempts. Wait a moment, then try again.', {
      retryAfterSec: Math.ceil(waitMs / 1000),
    })
  }

  /** A wrong password. */
  failed(account: string, address: string): void {
    const now = Date.now()
    for (const kind of ['pair', 'account', 'address'] as const) {
      const before = this.#find(kind, account, address)
      const count = (before?.count ?? 0) + 1
      const over = count - FREE[kind]
      const waitMs = over < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over)
      const key = keyOf(kind, account, address)
      // Taken out first, so that the map's order is the order of last use.
      this.#failures.delete(key)
      this.#failures.set(key, { count, closedUntilMs: now + waitMs, lastMs: now })
    }
    this.#forgetOldest()
  }

  /** The right password: this account at this address starts afresh. */
  succeeded(account: string, address: string): void {
    this.#failures.delete(keyOf('pair', account, address))
  }

  #find(kind: Kind, account: string, address: string): Failures | undefined {
    const found = this.#failures.get(keyOf(kind, account, address))
    return found && Date.now() - found.lastMs < FORGET_MS ? found : undefined
  }

  #forgetOldest(): void {
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= REMEMBERED_MAX) return
      this.#failures.delete(key)
    }
  }
}

function keyOf(kind: Kind, account: string, address: string): string {
  if (kind === 'account') return `account\0${account}`
  const network = networkOf(address)
  if (kind === 'address') return `address\0${network}`
  return `pair\0${account}\0${network}`
}
