/** Checks each second whether responses in flight may continue. */
import type { Fault } from '#wire/fault.ts'
import { asFault } from './faults.ts'

const RECHECK_EVERY_MS = 1000

export interface WatchedResponse {
  /** @throws Fault if it may not continue */
  recheck(): void
  /** Called once, with the fault of `recheck`. */
  end(fault: Fault): void
}

export class AccessMonitor {
  readonly #watched = new Set<WatchedResponse>()
  #timer: Timer | undefined

  /** Checks a response until the result is disposed of. */
  add(response: WatchedResponse): Disposable {
    this.#watched.add(response)
    this.#timer ??= setInterval(() => this.#recheckAll(), RECHECK_EVERY_MS)
    this.#timer.unref()
    return { [Symbol.dispose]: () => this.#forget(response) }
  }

  #recheckAll(): void {
    for (const response of this.#watched) {
      try {
        response.recheck()
      } catch (error) {
        this.#forget(response)
        response.end(asFault(error))
      }
    }
  }

  #forget(response: WatchedResponse): void {
    this.#watched.delete(response)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
