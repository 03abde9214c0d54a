/** Allows one request at a time for each upload. */
import { takenOver, type UploadLeases, type UploadUse, WITHOUT_LEASE } from './upload-leases.ts'

interface LockHolder {
  stop: AbortController
  /** Resolves when the request has ended. */
  ended: Promise<void>
}

export class UploadLocks {
  /** Id of an upload → the request that uses it. */
  readonly #holders = new Map<string, LockHolder>()
  readonly #leases: UploadLeases | undefined

  /** @param leases of the servers that share the database; absent if there is only this one */
  constructor(leases?: UploadLeases) {
    this.#leases = leases
  }

  /** Whether a request is using the upload, on this or another server. */
  async has(id: string): Promise<boolean> {
    return this.#holders.has(id) || ((await this.#leases?.isHeldElsewhere(id)) ?? false)
  }

  /**
   * Runs `work` alone for one upload. A client that reconnects comes back before the server notices the lost
   * connection, so the later request wins: the earlier one is aborted and awaited.
   *
   * @param options `isLong`: the work may take long
   * @param work ends soon after its use is stopped; its content then fails with the reason of the signal
   * @throws what `work` throws; Fault locked if its content failed because a later request has begun, or an earlier one
   *   on another server does not stop in time
   */
  async run<T>(
    id: string,
    work: (use: UploadUse) => Promise<T>,
    { isLong = false } = {},
  ): Promise<T> {
    for (let other = this.#holders.get(id); other; other = this.#holders.get(id)) {
      other.stop.abort(takenOver())
      await other.ended
    }
    const stop = new AbortController()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#holders.set(id, { stop, ended })
    try {
      using lease = this.#leases && (await this.#leases.acquire(id, isLong, stop))
      return await work({ ...(lease ?? WITHOUT_LEASE), stop: stop.signal })
    } finally {
      this.#holders.delete(id)
      end()
    }
  }
}
