/** When requests are over. The runtime sends a file by itself and tells nobody when it is done: it is asked. */

const ASK_EVERY_MS = 50

interface Waiting {
  isOver(): boolean
  done(): void
}

export class RequestCompletion {
  readonly #waiting = new Set<Waiting>()
  #timer: Timer | undefined

  /** Resolves when `isOver` says so. It is asked again and again until then. */
  wait(isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add({ isOver, done: resolve })
    this.#timer ??= setInterval(() => this.#ask(), ASK_EVERY_MS)
    return promise
  }

  #ask(): void {
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
