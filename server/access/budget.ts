/** A quantity of which every piece of work takes its part, and gives it back. */
export class Budget {
  readonly #total: number
  readonly #waiting: { share: number; begin: () => void }[] = []
  #left: number

  constructor(total: number) {
    this.#total = total
    this.#left = total
  }

  /**
   * Does the work when its part is left, one after the other in the order they came.
   *
   * @param share whoever asks for more than there is at all gets all of it, and works alone
   */
  async run<T>(share: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(share, this.#total)
    await this.#take(taken)
    try {
      return await work()
    } finally {
      this.#left += taken
      this.#serve()
    }
  }

  #take(share: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ share, begin })
      this.#serve()
    })
  }

  #serve(): void {
    for (let [next] = this.#waiting; next && next.share <= this.#left; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#left -= next.share
      next.begin()
    }
  }
}
