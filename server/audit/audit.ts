/** The audit log: records are collected briefly, written together, and deleted after their retention. */
import type {
  AuditFilter,
  AuditRows,
  NewAuditRecord,
  StoredAuditRecord,
} from '#server/db/rows/audit.ts'
import { OneAtATime } from '#server/lib/one-at-a-time.ts'
import { RangeDedup } from './range-dedup.ts'
import { RepeatCounter } from './repeat-counter.ts'
import { RepeatedOpenings } from './repeated-openings.ts'
import { rowSizeOf, truncate } from './truncate.ts'

/** Records are written together after this time; a crash loses no more than that, and counts of refusals. */
const WRITE_DELAY_MS = 100
/** A failed write is retried after this time. */
const RETRY_MS = 5000
/** Beyond this size waiting records are written at once; if that fails, the oldest are lost. */
const WAITING_MAX_BYTES = 4 * 2 ** 20
/** How often the limits are checked, and how often the counts of refusals are written. */
const CLEAN_EVERY_MS = 60 * 60_000
const COUNT_EVERY_MS = 60_000
/** The limits are checked after so many records, so that a flood cannot fill the disk. */
const CLEAN_AFTER_RECORDS = 10_000
/** Size limit of one page, whatever was requested. */
const PAGE_MAX_BYTES = 4 * 2 ** 20

export interface Retention {
  /** How long a record is kept. */
  keepMs: number
  /** The maximum number of records; 0 disables the audit log. */
  entries: number
  /** Their maximum size in the database. */
  bytes: number
  /** The time for the age of records; the time of day by default. */
  nowMs?(): number
}

/** Details of a request. */
export interface RequestInfo {
  /** Whether the request reads a later part of a file. */
  isLaterPart?: boolean
  /** Whether the response contains no file, because the reader has it in a cache or only reports that it shows it. */
  hasNoBytes?: boolean
  /** The key for counting the records of visitors; by default the address. */
  from?: string
  /** Whether the share of the record exists. A visitor may send any name. */
  isOfShare?: boolean
}

export class Audit {
  readonly #rows: AuditRows
  readonly #retention: Retention
  readonly #rangeDedup = new RangeDedup()
  readonly #openings = new RepeatedOpenings()
  readonly #refusals = new RepeatCounter()
  readonly #timers: Timer[]
  /** Records that are not written yet. */
  #waiting: NewAuditRecord[] = []
  #waitingBytes = 0
  #timer: Timer | undefined
  /** Work that writes. */
  readonly #writing = new OneAtATime()
  /** Records written since the last check of the limits. */
  #written = 0
  /** The approximate size of all records in the database. */
  #bytes = 0
  #log: (line: string) => void = () => undefined

  /** Deletes what is beyond the limits, then and every few minutes. */
  static async open(rows: AuditRows, retention: Retention): Promise<Audit> {
    const audit = new Audit(rows, retention)
    await audit.#writing.run(() => audit.#deleteOld())
    return audit
  }

  private constructor(rows: AuditRows, retention: Retention) {
    this.#rows = rows
    this.#retention = retention
    this.#timers = [
      setInterval(() => this.deleteOld(), CLEAN_EVERY_MS),
      setInterval(() => this.#add(this.#refusals.takeFinished(Date.now())), COUNT_EVERY_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Adds a record. Refusals and share visits of users without a session are counted. */
  record(
    record: NewAuditRecord,
    { isLaterPart = false, hasNoBytes = false, from = record.address, isOfShare }: RequestInfo = {},
  ): void {
    if (this.#retention.entries === 0) return
    const short = truncate(record)
    const isRefused = short.status >= 400
    // A refused request reads nothing, so the next range is not the continuation of it.
    if (!isRefused && this.#rangeDedup.continues(short) && isLaterPart) return
    const isOpening = short.action === 'open' && !isRefused
    if (isOpening && this.#openings.isRepeated(short) && hasNoBytes) return
    this.#add(isCounted(short) ? this.#refusals.add(short, from, isOfShare) : [short])
  }

  /** @param log receives errors of the audit log itself */
  listen(log: (line: string) => void): void {
    this.#log = log
  }

  /** @returns the newest matching records, including those not yet written; fewer than `limit` if they are long */
  async find(filter: AuditFilter, limit: number): Promise<StoredAuditRecord[]> {
    this.#add(this.#refusals.pending())
    await this.#write()
    return this.#rows.find(filter, limit, PAGE_MAX_BYTES)
  }

  /** Deletes records beyond the limits. A failure is ignored: the next call does the same work. */
  deleteOld(): Promise<void> {
    return this.#writing.run(() => this.#deleteOld()).catch(() => undefined)
  }

  async #deleteOld(): Promise<void> {
    const { keepMs, entries, bytes, nowMs = Date.now } = this.#retention
    await this.#rows.forget(nowMs() - keepMs, entries)
    this.#bytes = await this.#rows.sizeBytes()
    if (this.#bytes > bytes) {
      await this.#rows.removeOldest(this.#bytes - bytes * KEPT_FRACTION)
      this.#bytes = await this.#rows.sizeBytes()
    }
    this.#written = 0
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#add(this.#refusals.pending())
    await this.#write()
    clearTimeout(this.#timer)
  }

  #add(records: readonly NewAuditRecord[]): void {
    if (records.length === 0) return
    for (const record of records) {
      this.#waiting.push(record)
      this.#waitingBytes += rowSizeOf(record)
    }
    if (this.#waitingBytes > WAITING_MAX_BYTES) void this.#write()
    else {
      this.#timer ??= setTimeout(() => void this.#write(), WRITE_DELAY_MS)
      this.#timer.unref()
    }
  }

  /** Writes what waits. It never fails: what cannot be written is tried again. */
  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#writing.run(() => this.#tryToWrite())
  }

  async #tryToWrite(): Promise<void> {
    try {
      await this.#insertWaiting()
      const isTooLarge = this.#bytes > this.#retention.bytes
      if (isTooLarge || this.#written >= CLEAN_AFTER_RECORDS) await this.#deleteOld()
    } catch (error) {
      this.#dropOldest()
      this.#timer ??= setTimeout(() => void this.#write(), RETRY_MS)
      this.#timer.unref()
      const count = this.#waiting.length
      const problem = count > 0 ? `${count} records wait to be written` : 'Old records are kept'
      this.#log(`${problem}: ${error}`)
    }
  }

  async #insertWaiting(): Promise<void> {
    if (this.#waiting.length === 0) return
    const [records, bytes] = [this.#waiting, this.#waitingBytes]
    this.#waiting = []
    this.#waitingBytes = 0
    try {
      await this.#rows.insert(records)
    } catch (error) {
      // In front of those that have arrived since.
      this.#waiting = [...records, ...this.#waiting]
      this.#waitingBytes += bytes
      throw error
    }
    this.#written += records.length
    this.#bytes += bytes
  }

  /** Deletes the oldest waiting records, down to half of the limit, so that not each new record causes a write. */
  #dropOldest(): void {
    if (this.#waitingBytes <= WAITING_MAX_BYTES) return
    let first = 0
    for (; this.#waitingBytes > WAITING_MAX_BYTES / 2; first += 1) {
      const record = this.#waiting[first]
      this.#waitingBytes -= record ? rowSizeOf(record) : this.#waitingBytes
    }
    this.#waiting = this.#waiting.slice(first)
  }
}

/** The fraction of the size limit that is kept when the oldest records are deleted, so that deletions are rare. */
const KEPT_FRACTION = 0.9

function isCounted({ session, action, status }: NewAuditRecord): boolean {
  if (session !== '') return false
  return status >= 400 || action === 'publicLook' || action === 'publicDownload'
}
