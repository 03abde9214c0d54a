/** How often passwords were wrong, and how long whoever guesses has to wait. */

/**
 * An account at an address; an account wherever it is tried from; an address whatever it tries; an
 * address that makes accounts.
 */
export type Kind = 'pair' | 'account' | 'address' | 'signUp'

/** Failures, and sign-ups, that cost nothing: people mistype, and households share an address. */
const FREE: Record<Kind, number> = { pair: 8, account: 60, address: 30, signUp: 10 }
const FIRST_WAIT_MS = 1000
/** An account is only slowed down: others must not be able to shut its owner out. */
const LONGEST_WAIT_MS: Record<Kind, number> = {
  pair: 15 * 60_000,
  account: 30_000,
  address: 15 * 60_000,
  signUp: 15 * 60_000,
}
/** A quiet spell after which failures are forgotten. */
const FORGET_MS = 60 * 60_000
/** So many light ones and so many heavy ones. Keys are no longer than a name and an address. */
export const TRACKED_MAX = 20_000

interface Failed {
  count: number
  /** Until then further tries are not even looked at. */
  closedUntilMs: number
  lastMs: number
}

export class Failures {
  /** What makes nobody wait yet, and what does: names that are made up push out only the former. */
  readonly #light = new Map<string, Failed>()
  readonly #heavy = new Map<string, Failed>()

  /** How many more cost nothing; zero or less when each further one makes wait. */
  left(kind: Kind, key: string): number {
    return FREE[kind] - (this.#find(key)?.count ?? 0)
  }

  /** 0 when the next try may be made now. */
  closedUntilMs(key: string): number {
    return this.#find(key)?.closedUntilMs ?? 0
  }

  add(kind: Kind, key: string): void {
    const now = Date.now()
    const count = (this.#find(key)?.count ?? 0) + 1
    const over = count - FREE[kind]
    const waitMs = over < 0 ? 0 : Math.min(LONGEST_WAIT_MS[kind], FIRST_WAIT_MS * 2 ** over)
    // Taken out first, so that the map's order is the order of last use.
    this.forget(key)
    const table = over < 0 ? this.#light : this.#heavy
    table.set(key, { count, closedUntilMs: now + waitMs, lastMs: now })
    const [oldest] = table.keys()
    if (oldest !== undefined && table.size > TRACKED_MAX) table.delete(oldest)
  }

  forget(key: string): void {
    this.#light.delete(key)
    this.#heavy.delete(key)
  }

  #find(key: string): Failed | undefined {
    const found = this.#heavy.get(key) ?? this.#light.get(key)
    return found && Date.now() - found.lastMs < FORGET_MS ? found : undefined
  }
}
