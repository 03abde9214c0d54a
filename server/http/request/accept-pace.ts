/**
 * Lets a limited number of requests start in one turn of the event loop; the others wait for the next turns, in the order
 * of their arrival. Bun accepts connections until no client waits, and runs their handlers meanwhile. So clients that
 * reconnect for each request would delay all other clients without a limit.
 */
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

/** Starts up to `requestsPerTurn` requests in each turn of the event loop. */
export class AcceptPace {
  /** Requests that have started in this turn of the event loop. */
  #started = 0
  /** Starts each waiting request; the oldest is the first. There is one for each connection at most. */
  #waiting: (() => void)[] = []

  /** @returns a promise to await before the request starts; undefined if it may start at once */
  waitForTurn(): Promise<void> | undefined {
    if (this.#started === 0) setImmediate(() => this.#beginTurn())
    if (this.#started >= SERVER_LIMITS.requestsPerTurn) {
      return new Promise((start) => this.#waiting.push(start))
    }
    this.#started += 1
    return undefined
  }

  #beginTurn(): void {
    const begun = this.#waiting.splice(0, SERVER_LIMITS.requestsPerTurn)
    this.#started = begun.length
    if (this.#started > 0) setImmediate(() => this.#beginTurn())
    for (const start of begun) start()
  }
}
