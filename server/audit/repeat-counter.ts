/**
 * Counts the records of users without a session, mostly refusals; successful visits of shares are counted in the same
 * way. A flood of equal ones becomes two records in each period, the second with the count. If the counts are written
 * earlier (`pending`), the count is divided among several records.
 */
import type { NewAuditRecord } from '#server/db/rows/audit.ts'

/** The length of a period. */
export const PERIOD_MS = 10 * 60_000
/** The greatest number of running periods; beyond it the oldest one ends. */
const KINDS_MAX = 10_000

interface Period {
  beganMs: number
  /** The last counted record. */
  last: NewAuditRecord
  /** How many records were counted since the last one was written. */
  more: number
}

export class RepeatCounter {
  /** Key: a kind of record (`kindOf`); value: its running period. The oldest is first. */
  readonly #periods = new Map<string, Period>()

  /**
   * Adds a record without a session.
   *
   * @param from the key of the visitor, such as an address
   * @param isOfShare whether the share of the record exists
   * @returns the records to write now: the first of its kind, and the counts of finished periods
   */
  add(record: NewAuditRecord, from: string, isOfShare = false): NewAuditRecord[] {
    const records = this.takeFinished(record.atMs)
    const kind = kindOf(record, from, isOfShare)
    const period = this.#periods.get(kind)
    if (period) {
      period.more += 1
      period.last = record
      return records
    }
    this.#periods.set(kind, { beganMs: record.atMs, last: record, more: 0 })
    const [first] = this.#periods
    if (first && this.#periods.size > KINDS_MAX) {
      this.#periods.delete(first[0])
      records.push(...countsOf([first[1]]))
    }
    return [...records, record]
  }

  /** @returns the counts of finished periods */
  takeFinished(nowMs: number): NewAuditRecord[] {
    const ended: Period[] = []
    for (const [kind, period] of this.#periods) {
      if (nowMs - period.beganMs < PERIOD_MS) break
      this.#periods.delete(kind)
      ended.push(period)
    }
    return countsOf(ended)
  }

  /** @returns all present counts, also of running periods */
  pending(): NewAuditRecord[] {
    return countsOf([...this.#periods.values()])
  }
}

/**
 * Existing accounts and shares are part of the kind; unknown names, and paths of refused requests, are not, since
 * visitors choose them freely.
 */
function kindOf(
  { action, status, fault, userId, share, path }: NewAuditRecord,
  from: string,
  isOfShare: boolean,
): string {
  const refused = `${userId}\0${isOfShare ? share : ''}`
  const target = status < 400 ? `${share}\0${path}` : refused
  return `${from}\0${action}\0${status}\0${fault}\0${target}`
}

function countsOf(periods: readonly Period[]): NewAuditRecord[] {
  return periods.flatMap((period) => {
    const { last, more } = period
    period.more = 0
    return more > 0 ? [{ ...last, times: more }] : []
  })
}
