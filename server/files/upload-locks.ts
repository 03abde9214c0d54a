/** One request at a time for each upload. */

interface AtWork {
  stop: AbortController
  ended: Promise<void>
}

export class UploadLocks {
  readonly #atWork = new Map<string, AtWork>()

  /** Whether a request is at work on the upload. */
  has(id: string): boolean {
    return this.#atWork.has(id)
  }

  /**
   * Works on one upload, alone. A client that lost its connection comes back before the server has
   * noticed, so the later request always wins: the one at work is told to stop, and is waited for.
   *
   * @param work ends soon after its signal is aborted
   */
  async run<T>(id: string, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    for (let other = this.#atWork.get(id); other; other = this.#atWork.get(id)) {
      other.stop.abort()
      await other.ended
    }
    const stop = new AbortController()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#atWork.set(id, { stop, ended })
    try {
      return await work(stop.signal)
    } finally {
      this.#atWork.delete(id)
      end()
    }
  }
}
