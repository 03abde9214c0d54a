/** A quantity, such as bytes of memory, of which each running task holds a part. */
export class Budget {
  readonly #total: number
  readonly #waiting: { part: number; begin: () => void }[] = []
  #free: number

  constructor(total: number) {
    this.#total = total
    this.#free = total
  }

  /**
   * Runs the task when its part is free, in the order of calls.
   *
   * @param part a task that asks for more than the total runs alone
   */
  async run<T>(part: number, work: () => Promise<T>): Promise<T> {
    const granted = Math.min(part, this.#total)
    await this.#wait(granted)
    try {
      return await work()
    } finally {
      this.#free += granted
      this.#startNext()
    }
  }

  #wait(part: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ part, begin })
      this.#startNext()
    })
  }

  /** Starts waiting tasks in the order of their calls, as long as the next one's part is free. */
  #startNext(): void {
    for (let [next] = this.#waiting; next && next.part <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.part
      next.begin()
    }
  }
}
