/** Checks each second whether requests whose bodies are received or sent may continue. */
import type { Fault } from '#wire/fault.ts'
import { asFault } from './faults.ts'

const RECHECK_EVERY_MS = 1000

export interface WatchedRequest {
  /** @throws Fault if the request may not continue */
  recheck(): Promise<void>
  /** Called once, with the fault of `recheck`. */
  end(fault: Fault): void
}

export class AccessMonitor {
  readonly #watched = new Set<WatchedRequest>()
  #timer: Timer | undefined

  /** Checks a request until the result is disposed of. */
  add(request: WatchedRequest): Disposable {
    this.#watched.add(request)
    this.#timer ??= setInterval(() => this.#recheckAll(), RECHECK_EVERY_MS)
    this.#timer.unref()
    return { [Symbol.dispose]: () => this.#forget(request) }
  }

  #recheckAll(): void {
    for (const request of this.#watched) void this.#recheck(request)
  }

  async #recheck(request: WatchedRequest): Promise<void> {
    try {
      await request.recheck()
    } catch (error) {
      // It may have ended while it was checked.
      if (!this.#watched.has(request)) return
      this.#forget(request)
      request.end(asFault(error))
    }
  }

  #forget(request: WatchedRequest): void {
    this.#watched.delete(request)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
