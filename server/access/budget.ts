/** A quantity, such as bytes of memory, of which each running task has a share. */
export class Budget {
  readonly #total: number
  readonly #waiting: { share: number; begin: () => void }[] = []
  #free: number

  constructor(total: number) {
    this.#total = total
    this.#free = total
  }

  /**
   * Runs the task when its share is free, in the order of calls.
   *
   * @param share a task that asks for more than the total runs alone
   */
  async run<T>(share: number, work: () => Promise<T>): Promise<T> {
    const granted = Math.min(share, this.#total)
    await this.#wait(granted)
    try {
      return await work()
    } finally {
      this.#free += granted
      this.#startNext()
    }
  }

  #wait(share: number): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ share, begin })
      this.#startNext()
    })
  }

  /** Starts waiting tasks in the order of their calls, as long as the next one's share is free. */
  #startNext(): void {
    for (let [next] = this.#waiting; next && next.share <= this.#free; [next] = this.#waiting) {
      this.#waiting.shift()
      this.#free -= next.share
      next.begin()
    }
  }
}
