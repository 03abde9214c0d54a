/** What was being read lately: a film comes in hundreds of pieces, and is one line of the record. */
import type { NewAct } from '#server/db/audit.ts'

/** Pieces of a reading this long after its last one begin a new one. */
const PAUSE_MS = 60 * 60_000
const REMEMBERED_MAX = 20_000

export class RangeDedup {
  /** When the last piece was read, by reader and thing; the longest ago first. */
  readonly #lastMs = new Map<number | bigint, number>()

  /** Whether the act goes on reading what the same reader was reading. */
  continues({ atMs, session, address, share, action, path }: NewAct): boolean {
    // A number for each: paths are long.
    const key = Bun.hash(JSON.stringify([session || address, share, action, path]))
    const before = this.#lastMs.get(key)
    this.#lastMs.delete(key)
    this.#lastMs.set(key, atMs)
    this.#forgetOldest()
    return before !== undefined && atMs - before < PAUSE_MS
  }

  #forgetOldest(): void {
    if (this.#lastMs.size <= REMEMBERED_MAX) return
    for (const key of this.#lastMs.keys()) {
      if (this.#lastMs.size <= REMEMBERED_MAX) return
      this.#lastMs.delete(key)
    }
  }
}
