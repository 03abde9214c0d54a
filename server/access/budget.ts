/** A quantity, such as memory, that parallel tasks share. */
export class Budget {
  readonly #total: number
  readonly #waiting: { share: number; begin: () => void }[] = []
  #left: number

  constructor(total: number) {
    this.#total = total
    this.#left = total
  }

  /**
   * Runs the task when its share is free, in the order of calls.
   *
   * @param share a task that asks for more than the total runs alone
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
