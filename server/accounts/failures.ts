/** Counts failed sign-ins, and how long further attempts are blocked. */

/**
 * What is counted: an account at an address; an account from all addresses; an address for all accounts; sign-ups
 * from an address.
 */
export type FailureKind = 'pair' | 'account' | 'address' | 'signUp'

/**
 * From this number on, each failure or sign-up causes a delay. Not earlier, since users mistype, and households share an
 * address.
 */
const FREE_FAILURES: Record<FailureKind, number> = { pair: 8, account: 60, address: 30, signUp: 10 }
const FIRST_WAIT_MS = 1000
/** An account is only delayed for a short time, so that others cannot lock its owner out. */
const LONGEST_WAIT_MS: Record<FailureKind, number> = {
  pair: 15 * 60_000,
  account: 30_000,
  address: 15 * 60_000,
  signUp: 15 * 60_000,
}
/** Failures are forgotten after this time without a further one. */
const FORGET_MS = 60 * 60_000
/** The greatest number of keys in each map, so that made-up names do not fill the memory. */
export const TRACKED_MAX = 20_000

interface Failed {
  count: number
  /** Before this time, further attempts are refused without a comparison. */
  blockedUntilMs: number
  lastMs: number
}

export class Failures {
  /** Keys with free failures left, and blocked keys. Two maps, so that made-up names displace no blocked key. */
  readonly #underThreshold = new Map<string, Failed>()
  readonly #blocked = new Map<string, Failed>()

  /** After how many more failures attempts are blocked; zero or less if each further one blocks. */
  freeLeft(kind: FailureKind, key: string): number {
    return FREE_FAILURES[kind] - (this.#find(key)?.count ?? 0)
  }

  /** When the block of a key ends; in the past, or 0, if an attempt is allowed now. */
  blockedUntilMs(key: string): number {
    return this.#find(key)?.blockedUntilMs ?? 0
  }

  add(kind: FailureKind, key: string): void {
    const nowMs = Date.now()
    const count = (this.#find(key)?.count ?? 0) + 1
    const excess = count - FREE_FAILURES[kind]
    const waitMs = excess < 0 ? 0 : Math.min(LONGEST_WAIT_MS[kind], FIRST_WAIT_MS * 2 ** excess)
    // Deleted first, so that the map stays in the order of last use.
    this.forget(key)
    const table = excess < 0 ? this.#underThreshold : this.#blocked
    table.set(key, { count, blockedUntilMs: nowMs + waitMs, lastMs: nowMs })
    const [oldest] = table.keys()
    if (oldest !== undefined && table.size > TRACKED_MAX) table.delete(oldest)
  }

  forget(key: string): void {
    this.#underThreshold.delete(key)
    this.#blocked.delete(key)
  }

  #find(key: string): Failed | undefined {
    const counter = this.#blocked.get(key) ?? this.#underThreshold.get(key)
    return counter && Date.now() - counter.lastMs < FORGET_MS ? counter : undefined
  }
}
