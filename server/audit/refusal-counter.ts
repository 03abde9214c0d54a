/**
 * Counts the records of users without a session: a flood of equal ones becomes two records in each period, the second
 * with the count. If the counts are written earlier (`pending`), the count is divided among several records.
 */
import type { NewAuditRecord } from '#server/db/audit.ts'

/** The length of a period. */
export const WINDOW_MS = 10 * 60_000
/** The greatest number of running periods; beyond it the oldest one ends. */
const KINDS_MAX = 10_000

interface Window {
  beganMs: number
  /** The last counted record. */
  last: NewAuditRecord
  /** How many records were counted since the last one was written. */
  more: number
}

export class RefusalCounter {
  /** Key: a kind of record (`kindOf`); value: its running period. The oldest is first. */
  readonly #windows = new Map<string, Window>()

  /**
   * Adds a record without a session.
   *
   * @param from the key of the visitor, such as an address
   * @returns the records to write now: the first of its kind, and the counts of finished periods
   */
  add(record: NewAuditRecord, from: string): NewAuditRecord[] {
    const records = this.takeFinished(record.atMs)
    const kind = kindOf(record, from)
    const window = this.#windows.get(kind)
    if (window) {
      window.more += 1
      window.last = record
      return records
    }
    this.#windows.set(kind, { beganMs: record.atMs, last: record, more: 0 })
    const [first] = this.#windows
    if (first && this.#windows.size > KINDS_MAX) {
      this.#windows.delete(first[0])
      records.push(...countsOf([first[1]]))
    }
    return [...records, record]
  }

  /** @returns the counts of finished periods */
  takeFinished(nowMs: number): NewAuditRecord[] {
    const ended: Window[] = []
    for (const [kind, window] of this.#windows) {
      if (nowMs - window.beganMs < WINDOW_MS) break
      this.#windows.delete(kind)
      ended.push(window)
    }
    return countsOf(ended)
  }

  /** @returns all present counts, also of running periods */
  pending(): NewAuditRecord[] {
    return countsOf([...this.#windows.values()])
  }
}

/**
 * Names of existing accounts and shares are part of the kind; unknown names and paths are not, since visitors choose
 * them freely.
 */
function kindOf({ action, status, userId, share, path }: NewAuditRecord, from: string): string {
  const target = status < 400 ? `${share}\0${path}` : userId
  return `${from}\0${action}\0${status}\0${target}`
}

function countsOf(windows: readonly Window[]): NewAuditRecord[] {
  return windows.flatMap((window) => {
    const { last, more } = window
    window.more = 0
    return more > 0 ? [{ ...last, times: more }] : []
  })
}
