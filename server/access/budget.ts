/** A quantity of which every piece of work takes its part, and gives it back. */
export class Budget {
  readonly #total: number
  readonly #waiting: { part: number; begin: () => void }[] = []
  #left: number

  constructor(total: number) {
    this.#total = total
    this.#left = total
  }

  /**
   * Does the work when its part is left, one after the other in the order they came.
   *
   * @param part whoever asks for more than there is at all gets all of it, and works alone
   */
  async run<T>(part: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(part, this.#total)
    await this.#take(taken)
    try {
      return await work()
    } finally {
      this.#left += taken
      this.#serve()
    }
  }

  #take(part: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ part, begin })
      this.#serve()
    })
  }

  #serve(): void {
    for (let [next] = this.#waiting; next && next.part <= this.#left; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#left -= next.part
      next.begin()
    }
  }
}
