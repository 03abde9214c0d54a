/**
 * Lets a limited number of requests start in one turn of the event loop; all further ones start in the next turn. Bun
 * accepts connections until no client waits, and runs their handlers meanwhile. So clients that reconnect for each
 * request would delay all others without a limit.
 */
import { LIMITS } from '#wire/limits.ts'

/** Delays requests to the next turn of the event loop if `requestsPerTurn` have started in this one. */
export class AcceptPace {
  /** Requests that have started in this turn of the event loop. */
  #started = 0

  /** @returns a promise to await before the request starts; undefined if it may start at once */
  waitForTurn(): Promise<void> | undefined {
    if (this.#started === 0) {
      setImmediate(() => {
        this.#started = 0
      })
    }
    this.#started += 1
    if (this.#started <= LIMITS.requestsPerTurn) return undefined
    return new Promise((next) => setImmediate(next))
  }
}
