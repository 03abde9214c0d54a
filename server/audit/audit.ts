/** Who did what: collected for a moment, written together, kept for a while. */
import type { ActFilter, AuditRows, NewAct, StoredAct } from '#server/db/audit.ts'
import { Readings } from './readings.ts'

/** Acts wait this long to be written together; a killed server loses no more than that. */
const WRITE_AFTER_MS = 100
/** What cannot be written is tried again, as many acts as this. */
const TRY_AGAIN_MS = 5000
const WAITING_MAX = 10_000
const FORGET_EVERY_MS = 60 * 60_000
/** No flood of acts outgrows the disk before the hour is over. */
const FORGET_AFTER_ACTS = 10_000

export interface Retention {
  /** How long an act is kept. */
  keepMs: number
  /** How many are kept at most; 0 keeps no record at all. */
  entries: number
}

export class Audit {
  readonly #rows: AuditRows
  readonly #retention: Retention
  readonly #readings = new Readings()
  readonly #forgetter: Timer
  #waiting: NewAct[] = []
  #timer: Timer | undefined
  /** Written since something was forgotten. */
  #written = 0
  #tell: (line: string) => void = () => undefined

  constructor(rows: AuditRows, retention: Retention) {
    this.#rows = rows
    this.#retention = retention
    this.forget()
    this.#forgetter = setInterval(() => this.forget(), FORGET_EVERY_MS)
    this.#forgetter.unref()
  }

  /** @param how `piece`: it read a part of something, not its beginning */
  record(act: NewAct, how = { piece: false }): void {
    if (this.#retention.entries === 0) return
    if (this.#readings.goesOn(act) && how.piece) return
    this.#waiting.push(act)
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS)
    this.#timer.unref()
  }

  /** @param tell told what went wrong with the record itself */
  listen(tell: (line: string) => void): void {
    this.#tell = tell
  }

  /** The newest acts that fit, newest first; those of this moment among them. */
  find(filter: ActFilter, limit: number): StoredAct[] {
    this.#write()
    return this.#rows.find(filter, limit)
  }

  /** Removes what is too old or too much. */
  forget(): void {
    const { keepMs, entries } = this.#retention
    this.#rows.forget(Date.now() - keepMs, entries)
    this.#written = 0
  }

  close(): void {
    clearInterval(this.#forgetter)
    this.#write()
    clearTimeout(this.#timer)
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    try {
      this.#rows.insert(this.#waiting)
      this.#written += this.#waiting.length
      this.#waiting = []
      if (this.#written >= FORGET_AFTER_ACTS) this.forget()
    } catch (error) {
      this.#waiting = this.#waiting.slice(-WAITING_MAX)
      this.#timer = setTimeout(() => this.#write(), TRY_AGAIN_MS)
      this.#timer.unref()
      this.#tell(`${this.#waiting.length} acts wait to be written: ${error}`)
    }
  }
}
