/** Work of which so much is done at a time, of one and of all; the rest waits, and nobody before others. */
import { Fault } from '#wire/fault.ts'
import type { Bound } from './bounds.ts'

interface Waiting {
  whose: string | number
  go: () => void
}

export class SharedTurns {
  readonly #bound: Bound
  readonly #atWork = new Map<string | number, number>()
  #all = 0
  #waiting: Waiting[] = []

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /**
   * Waits for a turn; it lasts until the returned thing is disposed of.
   *
   * @param whose a person's number, or an address
   * @throws Fault tooMany when half of those who may wait are one's own, unavailable when nobody more
   *   may wait
   */
  async take(whose: string | number): Promise<Disposable> {
    if (!this.#isFree(whose)) await this.#wait(whose)
    else this.#begin(whose)
    return { [Symbol.dispose]: () => this.#end(whose) }
  }

  #isFree(whose: string | number): boolean {
    const { own = Infinity, all = Infinity } = this.#bound
    return this.#all < all && (this.#atWork.get(whose) ?? 0) < own
  }

  #begin(whose: string | number): void {
    this.#all += 1
    this.#atWork.set(whose, (this.#atWork.get(whose) ?? 0) + 1)
  }

  #wait(whose: string | number): Promise<void> {
    const { waiting = 0, words, retryAfterSec } = this.#bound
    const own = this.#waiting.filter((one) => one.whose === whose).length
    if (own >= waiting / 2) throw new Fault('tooMany', words, { retryAfterSec })
    if (this.#waiting.length >= waiting) throw new Fault('unavailable', words, { retryAfterSec })
    return new Promise<void>((go) => this.#waiting.push({ whose, go }))
  }

  #end(whose: string | number): void {
    this.#all -= 1
    const left = (this.#atWork.get(whose) ?? 1) - 1
    if (left > 0) this.#atWork.set(whose, left)
    else this.#atWork.delete(whose)
    // Whoever waited longest of those who may.
    const next = this.#waiting.findIndex((one) => this.#isFree(one.whose))
    if (next < 0) return
    const [one] = this.#waiting.splice(next, 1)
    if (!one) return
    this.#begin(one.whose)
    one.go()
  }
}
