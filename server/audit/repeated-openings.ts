/**
 * Recognises requests that belong to an opening which is already recorded. A browser that has a file in its cache asks
 * whether it has changed, and the interface reports that it shows a file (`HEAD /api/raw`): both may happen for one
 * opening.
 */
import type { NewAuditRecord } from '#server/db/rows/audit.ts'

/** Requests of one opening follow each other within this time. */
const TOGETHER_MS = 10_000
/** The greatest number of remembered readers. */
const REMEMBERED_MAX = 20_000

export class RepeatedOpenings {
  /** Key: the session, or the address without one; value: the file opened last, and when. The oldest is first. */
  readonly #last = new Map<string, { path: string; atMs: number }>()

  /** Whether the reader has opened the same file last, less than `TOGETHER_MS` ago. Remembers this opening. */
  isRepeated({ session, address, path, atMs }: NewAuditRecord): boolean {
    const reader = session || address
    const before = this.#last.get(reader)
    this.#last.delete(reader)
    this.#last.set(reader, { path, atMs })
    const [oldest] = this.#last.keys()
    if (this.#last.size > REMEMBERED_MAX && oldest !== undefined) this.#last.delete(oldest)
    return before?.path === path && atMs - before.atMs < TOGETHER_MS
  }
}
