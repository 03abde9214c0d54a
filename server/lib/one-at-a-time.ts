/** Runs work that waits, such as for the database, one after the other. */
export class OneAtATime {
  /** Resolves when the work so far has ended. */
  #working: Promise<unknown> = Promise.resolve()

  /**
   * Runs work when the work before it has ended, also if that failed.
   *
   * @throws what the work throws
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work)
    this.#working = done.catch(() => undefined)
    return done
  }
}
