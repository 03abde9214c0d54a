/** Room for so many of a thing at a time. */
import { Fault } from '#wire/fault.ts'
import type { Bound } from './bounds.ts'

export class Places {
  readonly #bound: Bound
  readonly #taken = new Map<string | number, number>()
  #all = 0

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /**
   * Takes a place until the returned thing is disposed of; once more does nothing.
   *
   * @param whose a person's number, or an address
   * @param count how many places it needs. More than there are is given to whoever has none
   * @throws Fault tooMany when whoever asks has as many as one may, unavailable when all are taken
   */
  take(whose: string | number, count = 1): Disposable {
    const { own = Infinity, all = Infinity, words, retryAfterSec } = this.#bound
    const taken = this.#taken.get(whose) ?? 0
    if (taken > 0 && taken + count > own) throw new Fault('tooMany', words, { retryAfterSec })
    if (this.#all > 0 && this.#all + count > all)
      throw new Fault('unavailable', words, { retryAfterSec })
    this.#all += count
    this.#taken.set(whose, taken + count)
    let held = true
    return {
      [Symbol.dispose]: () => {
        if (held) this.#giveBack(whose, count)
        held = false
      },
    }
  }

  #giveBack(whose: string | number, count: number): void {
    this.#all -= count
    const left = (this.#taken.get(whose) ?? count) - count
    if (left > 0) this.#taken.set(whose, left)
    else this.#taken.delete(whose)
  }
}
