/**
 * Lets a limited number of requests start in one turn of the event loop; all further ones start in the next. Bun handles a connection while accepting it and
 * accepts as long as clients wait, so clients that reconnect for each request would starve all others.
 */
import { LIMITS } from '#wire/limits.ts'

/** Delays requests to the next turn of the event loop if `requestsATurn` have started in this one. */
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
    if (this.#started <= LIMITS.requestsATurn) return undefined
    return new Promise((next) => setImmediate(next))
  }
}
