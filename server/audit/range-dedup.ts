/** Decides which range requests belong to one reading of a video or song, so that the audit log has one record of it. */
import type { NewAuditRecord } from '#server/db/rows/audit.ts'

/** A request this long after the previous one starts a new record. */
const NEW_READ_AFTER_MS = 60 * 60_000
/** The greatest number of remembered pairs of reader and file. */
const REMEMBERED_MAX = 20_000

export class RangeDedup {
  /**
   * Key: a hash of reader (session, or address without one) and file; value: when the last part was read. The oldest is
   * first.
   */
  readonly #lastMs = new Map<number | bigint, number>()

  /** Whether the same reader has read this file shortly before. Stores the time of this request for the next call. */
  continues({ atMs, session, address, share, action, path }: NewAuditRecord): boolean {
    // A hash, because paths are long. If two hashes are equal, which is improbable, a record is missing.
    const key = Bun.hash(`${session || address}\0${share}\0${action}\0${path}`)
    const before = this.#lastMs.get(key)
    this.#lastMs.delete(key)
    this.#lastMs.set(key, atMs)
    this.#forgetOldest()
    return before !== undefined && atMs - before < NEW_READ_AFTER_MS
  }

  #forgetOldest(): void {
    if (this.#lastMs.size <= REMEMBERED_MAX) return
    for (const key of this.#lastMs.keys()) {
      if (this.#lastMs.size <= REMEMBERED_MAX) return
      this.#lastMs.delete(key)
    }
  }
}
