/** The requests whose handlers run, so that a stop closes nothing that they still use. */
export class RunningRequests {
  readonly #running = new Set<Promise<unknown>>()

  /** @returns the response; the handler runs until it settles */
  track<T>(response: Promise<T>): Promise<T> {
    this.#running.add(response)
    const end = () => this.#running.delete(response)
    response.then(end, end)
    return response
  }

  /**
   * Waits until the handlers that run now have ended.
   *
   * @param maxMs how long at most, in milliseconds
   */
  async ended(maxMs: number): Promise<void> {
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(timer.resolve, maxMs)
    await Promise.race([timer.promise, Promise.allSettled(this.#running)])
    clearTimeout(timeout)
  }
}
