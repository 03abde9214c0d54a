/** Combines the many range requests of a video or song into one audit record. */
import type { NewAuditRecord } from '#server/db/audit.ts'

/** A request this long after the previous one starts a new record. */
const NEW_READ_AFTER_MS = 60 * 60_000
/** The greatest number of remembered readers and files. */
const REMEMBERED_MAX = 20_000

export class RangeDedup {
  /** Key: a hash of reader and file; value: when the last part was read. The oldest is first. */
  readonly #lastMs = new Map<number | bigint, number>()

  /** Whether the same reader has read this file shortly before. Remembers the request. */
  continues({ atMs, session, address, share, action, path }: NewAuditRecord): boolean {
    // A hash instead of the key, because paths are long.
    const key = Bun.hash(JSON.stringify([session || address, share, action, path]))
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
