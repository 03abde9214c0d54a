/** Allows one request at a time for each upload. */
import { Fault } from '#wire/fault.ts'

interface LockHolder {
  stop: AbortController
  /** Resolves when the request has ended. */
  ended: Promise<void>
}

export class UploadLocks {
  /** Id of an upload → the request that uses it. */
  readonly #holders = new Map<string, LockHolder>()

  /** Whether a request is using the upload. */
  has(id: string): boolean {
    return this.#holders.has(id)
  }

  /**
   * Runs `work` alone for one upload. A client that reconnects comes back before the server notices the lost
   * connection, so the later request wins: the earlier one is aborted and awaited.
   *
   * @param work ends soon after its signal is aborted; its content then fails with the reason of the signal
   * @throws what `work` throws; Fault locked if its content failed because a later request has begun
   */
  async run<T>(id: string, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    for (let other = this.#holders.get(id); other; other = this.#holders.get(id)) {
      other.stop.abort(takenOver())
      await other.ended
    }
    const stop = new AbortController()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#holders.set(id, { stop, ended })
    try {
      return await work(stop.signal)
    } finally {
      this.#holders.delete(id)
      end()
    }
  }
}

/** The fault of a request that a later one has stopped. */
function takenOver(): Fault {
  return new Fault('locked', 'Another request is sending this upload.')
}
