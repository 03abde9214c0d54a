/** Who did what: collected for a moment, written together, kept for a while. */
import type { ActFilter, AuditRows, NewAct, StoredAct } from '#server/db/audit.ts'
import { RangeDedup } from './range-dedup.ts'
import { RefusalCounter } from './refusal-counter.ts'
import { sizeOf, truncate } from './truncate.ts'

/** Acts wait this long to be written together; a killed server loses no more than that. */
const WRITE_AFTER_MS = 100
/** What cannot be written is tried again; so much of it waits, the oldest is lost. */
const TRY_AGAIN_MS = 5000
const WAITING_MAX_BYTES = 4 * 2 ** 20
const FORGET_EVERY_MS = 60 * 60_000
const COUNT_EVERY_MS = 60_000
/** No flood of acts outgrows the disk before the hour is over. */
const FORGET_AFTER_ACTS = 10_000
/** One page of the record is no larger, whatever was asked for. */
const PAGE_MAX_BYTES = 4 * 2 ** 20

export interface Retention {
  /** How long an act is kept. */
  keepMs: number
  /** How many are kept at most; 0 keeps no record at all. */
  entries: number
  /** How much room they take at most. */
  bytes: number
}

/** How an act was done. */
export interface RequestInfo {
  /** It read a part of something, not its beginning. */
  piece?: boolean
  /** Whose acts are counted together, of those who are not signed in; the address by default. */
  from?: string
}

export class Audit {
  readonly #rows: AuditRows
  readonly #retention: Retention
  readonly #rangeDedup = new RangeDedup()
  readonly #refusals = new RefusalCounter()
  readonly #timers: Timer[]
  #waiting: NewAct[] = []
  #waitingBytes = 0
  #timer: Timer | undefined
  /** Written since something was forgotten. */
  #written = 0
  /** In the database. */
  #bytes = 0
  #log: (line: string) => void = () => undefined

  constructor(rows: AuditRows, retention: Retention) {
    this.#rows = rows
    this.#retention = retention
    this.#bytes = rows.sizeBytes()
    this.forget()
    this.#timers = [
      setInterval(() => this.forget(), FORGET_EVERY_MS),
      setInterval(() => this.#add(this.#refusals.over(Date.now())), COUNT_EVERY_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Records an act. Refusals of strangers, and what they look at by links, are counted. */
  record(act: NewAct, { piece = false, from = act.address }: RequestInfo = {}): void {
    if (this.#retention.entries === 0) return
    const short = truncate(act)
    if (this.#rangeDedup.continues(short) && piece) return
    this.#add(isCounted(short) ? this.#refusals.take(short, from) : [short])
  }

  /** @param log told what went wrong with the record itself */
  listen(log: (line: string) => void): void {
    this.#log = log
  }

  /**
   * The newest acts that fit, newest first; those of this moment among them. Fewer than `limit` when
   * they are long.
   */
  find(filter: ActFilter, limit: number): StoredAct[] {
    this.#add(this.#refusals.soFar())
    this.#write()
    return this.#rows.find(filter, limit, PAGE_MAX_BYTES)
  }

  /** Removes what is too old or too much. */
  forget(): void {
    const { keepMs, entries, bytes } = this.#retention
    this.#written = 0
    const tooMany = this.#bytes > bytes ? this.#bytes - bytes * SPACE_AFTER : 0
    if (this.#rows.forget(Date.now() - keepMs, entries, tooMany)) {
      this.#bytes = this.#rows.sizeBytes()
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#add(this.#refusals.soFar())
    this.#write()
    clearTimeout(this.#timer)
  }

  #add(acts: readonly NewAct[]): void {
    if (acts.length === 0) return
    for (const act of acts) {
      this.#waiting.push(act)
      this.#waitingBytes += sizeOf(act)
    }
    if (this.#waitingBytes > WAITING_MAX_BYTES) this.#write()
    else {
      this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS)
      this.#timer.unref()
    }
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    try {
      this.#rows.insert(this.#waiting)
      this.#written += this.#waiting.length
      this.#bytes += this.#waitingBytes
      this.#waiting = []
      this.#waitingBytes = 0
      const tooMuch = this.#bytes > this.#retention.bytes
      if (tooMuch || this.#written >= FORGET_AFTER_ACTS) this.forget()
    } catch (error) {
      this.#loseOldest()
      this.#timer = setTimeout(() => this.#write(), TRY_AGAIN_MS)
      this.#timer.unref()
      this.#log(`${this.#waiting.length} acts wait to be written: ${error}`)
    }
  }

  /** Half of what may wait is kept, so that a full disk is not tried with each act. */
  #loseOldest(): void {
    if (this.#waitingBytes <= WAITING_MAX_BYTES) return
    let first = 0
    for (; this.#waitingBytes > WAITING_MAX_BYTES / 2; first += 1) {
      const act = this.#waiting[first]
      this.#waitingBytes -= act ? sizeOf(act) : this.#waitingBytes
    }
    this.#waiting = this.#waiting.slice(first)
  }
}

/** What is left after the oldest had to go, so that they go rarely. */
const SPACE_AFTER = 0.9

function isCounted({ session, action, status }: NewAct): boolean {
  if (session !== '') return false
  return status >= 400 || action === 'publicLook' || action === 'publicDownload'
}
