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
/**
 * Many people may share an address, and each mistypes now and then. So after each such time one failure of an address is
 * forgotten: only guesses that come faster add up.
 */
export const ADDRESS_LEAK_MS = 2 * 60_000
/** Failures are forgotten after this time without a further one. */
const FORGET_MS = 60 * 60_000
/** The greatest number of keys in each map, so that made-up names do not fill the memory. */
export const TRACKED_MAX = 20_000

interface Failed {
  /** At `countedMs`; that of an address decreases from then on. */
  count: number
  countedMs: number
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
    return FREE_FAILURES[kind] - (this.#find(kind, key)?.count ?? 0)
  }

  /** When the block of a key ends; in the past, or 0, if an attempt is allowed now. */
  blockedUntilMs(key: string): number {
    const counter = this.#blocked.get(key)
    return counter && Date.now() - counter.lastMs < FORGET_MS ? counter.blockedUntilMs : 0
  }

  /** @returns whether the key is blocked since this failure, and was not before */
  add(kind: FailureKind, key: string): boolean {
    const nowMs = Date.now()
    const known = this.#find(kind, key)
    const count = (known?.count ?? 0) + 1
    const excess = count - FREE_FAILURES[kind]
    const waitMs = excess < 0 ? 0 : Math.min(LONGEST_WAIT_MS[kind], FIRST_WAIT_MS * 2 ** excess)
    // Deleted first, so that the map stays in the order of last use.
    this.forget(key)
    const table = excess < 0 ? this.#underThreshold : this.#blocked
    const blockedUntilMs = nowMs + waitMs
    table.set(key, { count, countedMs: known?.countedMs ?? nowMs, blockedUntilMs, lastMs: nowMs })
    const [oldest] = table.keys()
    if (oldest !== undefined && table.size > TRACKED_MAX) table.delete(oldest)
    return excess === 0
  }

  /** Forgets one failure. */
  forgive(kind: FailureKind, key: string): void {
    const counter = this.#find(kind, key)
    if (counter && counter.count > 0) counter.count -= 1
  }

  forget(key: string): void {
    this.#underThreshold.delete(key)
    this.#blocked.delete(key)
  }

  #find(kind: FailureKind, key: string): Failed | undefined {
    const counter = this.#blocked.get(key) ?? this.#underThreshold.get(key)
    if (!counter || Date.now() - counter.lastMs >= FORGET_MS) return undefined
    if (kind === 'address') leak(counter)
    return counter
  }
}

/** Forgets the failures of an address whose time has passed. */
function leak(counter: Failed): void {
  const leaked = Math.floor((Date.now() - counter.countedMs) / ADDRESS_LEAK_MS)
  if (leaked <= 0) return
  counter.count = Math.max(0, counter.count - leaked)
  counter.countedMs += leaked * ADDRESS_LEAK_MS
}
