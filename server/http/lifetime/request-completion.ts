/** Detects when requests are complete, by polling: Bun sends files itself, and reports no event at the end. */

const POLL_EVERY_MS = 50

/** A request that waits for its end. */
interface Waiting {
  isOver(): boolean
  done(): void
}

export class RequestCompletion {
  readonly #waiting = new Set<Waiting>()
  #timer: Timer | undefined

  /** Resolves when `isOver` returns true, which is polled. */
  wait(isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add({ isOver, done: resolve })
    this.#timer ??= setInterval(() => this.#poll(), POLL_EVERY_MS)
    return promise
  }

  #poll(): void {
    for (const waiting of this.#waiting) {
      if (!waiting.isOver()) continue
      this.#waiting.delete(waiting)
      waiting.done()
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
