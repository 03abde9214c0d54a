/** Asks each second of all answers on their way whether they may go on. */
import type { Fault } from '#wire/fault.ts'
import { asFault } from './faults.ts'

const ASK_EVERY_MS = 1000

export interface Watched {
  /** @throws Fault when it may not go on */
  still(): void
  /** Called once, with that fault. */
  end(fault: Fault): void
}

export class PermittedWatch {
  readonly #watched = new Set<Watched>()
  #timer: Timer | undefined

  /** Asks until the returned thing is disposed of. */
  add(one: Watched): Disposable {
    this.#watched.add(one)
    this.#timer ??= setInterval(() => this.#askAll(), ASK_EVERY_MS)
    this.#timer.unref()
    return { [Symbol.dispose]: () => this.#forget(one) }
  }

  #askAll(): void {
    for (const one of this.#watched) {
      try {
        one.still()
      } catch (error) {
        this.#forget(one)
        one.end(asFault(error))
      }
    }
  }

  #forget(one: Watched): void {
    this.#watched.delete(one)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
