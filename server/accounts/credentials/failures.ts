/** Counts failed sign-ins, and how long further attempts are blocked. */
import type { FailureRows, StoredFailures } from '#server/db/rows/failures.ts'

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

export class Failures {
  readonly #rows: FailureRows | undefined
  /**
   * Keys with free failures left, and blocked keys. Two maps, so that made-up names displace no blocked key. With a
   * database only those that could not be written, for example on a full disk.
   */
  readonly #underThreshold = new Map<string, StoredFailures>()
  readonly #blocked = new Map<string, StoredFailures>()

  /** @param rows the counters of all servers that share the database; without it, they are only in memory */
  constructor(rows?: FailureRows) {
    this.#rows = rows
  }

  /** After how many more failures attempts are blocked; zero or less if each further one blocks. */
  async freeLeft(kind: FailureKind, key: string): Promise<number> {
    return FREE_FAILURES[kind] - ((await this.#find(kind, key))?.count ?? 0)
  }

  /** How long attempts with a key are still blocked; 0 if one is allowed now. */
  async waitMs(key: string): Promise<number> {
    const counters = [this.#blocked.get(key), await this.#rows?.find(key)]
    const nowMs = this.#nowMs()
    const waitsMs = counters.map((counter) =>
      isCurrent(counter, nowMs) ? counter.blockedUntilMs - nowMs : 0,
    )
    return Math.max(0, ...waitsMs)
  }

  /** @returns whether the key is blocked since this failure, and was not before */
  async add(kind: FailureKind, key: string): Promise<boolean> {
    const { count } = await this.#change(kind, key, (known) =>
      afterFailure(kind, known, this.#nowMs()),
    )
    return count === FREE_FAILURES[kind]
  }

  /** Forgets one failure. */
  async forgive(kind: FailureKind, key: string): Promise<void> {
    const known = await this.#find(kind, key)
    if (!known || known.count === 0) return
    await this.#change(kind, key, (present = known) => ({
      ...present,
      count: Math.max(0, present.count - 1),
    }))
  }

  async forget(key: string): Promise<void> {
    this.#forgetHere(key)
    try {
      await this.#rows?.remove(key)
    } catch {
      // A right password is no reason to fail: the counter ends by itself.
    }
  }

  /** Changes a counter in the database; in memory if that is impossible. @returns the new counter */
  async #change(
    kind: FailureKind,
    key: string,
    change: (known: StoredFailures | undefined) => StoredFailures,
  ): Promise<StoredFailures> {
    // What is in memory is read when the result is stored, since others may count in between.
    const changeGreater = (stored?: StoredFailures) =>
      change(this.#greater(kind, this.#blocked.get(key) ?? this.#underThreshold.get(key), stored))
    const limits = { beforeMs: this.#nowMs() - FORGET_MS, max: TRACKED_MAX }
    try {
      const changed = await this.#rows?.change(key, changeGreater, limits)
      if (changed) {
        this.#forgetHere(key)
        return changed
      }
    } catch {
      // The disk is full, or another program holds the lock of the database.
    }
    return this.#keepHere(key, changeGreater(await this.#rows?.find(key)))
  }

  #keepHere(key: string, counter: StoredFailures): StoredFailures {
    // Deleted first, so that the map stays in the order of last use.
    this.#forgetHere(key)
    const table = counter.blockedUntilMs <= counter.lastMs ? this.#underThreshold : this.#blocked
    table.set(key, counter)
    const [oldest] = table.keys()
    if (oldest !== undefined && table.size > TRACKED_MAX) table.delete(oldest)
    return counter
  }

  #forgetHere(key: string): void {
    this.#underThreshold.delete(key)
    this.#blocked.delete(key)
  }

  async #find(kind: FailureKind, key: string): Promise<StoredFailures | undefined> {
    const here = this.#blocked.get(key) ?? this.#underThreshold.get(key)
    return this.#greater(kind, here, await this.#rows?.find(key))
  }

  /** @returns the greater of the counters that are not forgotten, as it is now */
  #greater(
    kind: FailureKind,
    ...counters: (StoredFailures | undefined)[]
  ): StoredFailures | undefined {
    const nowMs = this.#nowMs()
    const current = counters.filter((counter) => isCurrent(counter, nowMs))
    return current
      .map((counter) => leaked(kind, counter, nowMs))
      .toSorted((one, other) => other.count - one.count)[0]
  }

  #nowMs(): number {
    return this.#rows?.nowMs() ?? Date.now()
  }
}

function afterFailure(
  kind: FailureKind,
  known: StoredFailures | undefined,
  nowMs: number,
): StoredFailures {
  const count = (known?.count ?? 0) + 1
  const excess = count - FREE_FAILURES[kind]
  const waitMs = excess < 0 ? 0 : Math.min(LONGEST_WAIT_MS[kind], FIRST_WAIT_MS * 2 ** excess)
  return {
    count,
    countedMs: known?.countedMs ?? nowMs,
    blockedUntilMs: nowMs + waitMs,
    lastMs: nowMs,
  }
}

function isCurrent(counter: StoredFailures | undefined, nowMs: number): counter is StoredFailures {
  return counter !== undefined && nowMs - counter.lastMs < FORGET_MS
}

/** @returns the counter without the failures of an address whose time has passed */
function leaked(kind: FailureKind, counter: StoredFailures, nowMs: number): StoredFailures {
  const periods = Math.floor((nowMs - counter.countedMs) / ADDRESS_LEAK_MS)
  if (kind !== 'address' || periods <= 0) return counter
  return {
    ...counter,
    count: Math.max(0, counter.count - periods),
    countedMs: counter.countedMs + periods * ADDRESS_LEAK_MS,
  }
}
