/** Finds out whether the database can be written, by writing a row of its own. */
import { Fault } from '#wire/fault.ts'
import type { Database } from '../database.ts'
import type { SettingRows } from './settings.ts'

const KEY = 'writeCheck'
/** Callers within this time share one result, so that frequent checks cause no writes. */
const RESULT_LASTS_MS = 1000

export class WriteCheck {
  readonly #rows: SettingRows
  readonly #db: Database
  #startedAtMs = Number.NEGATIVE_INFINITY
  #isRunning = false
  #result: Promise<void> = Promise.resolve()

  constructor(rows: SettingRows, db: Database) {
    this.#rows = rows
    this.#db = db
  }

  /**
   * Writes the row and waits until it is on the disk, which a thread of its own flushes.
   *
   * @throws Fault unavailable with the reason
   */
  run(): Promise<void> {
    const isRecent = Math.abs(Date.now() - this.#startedAtMs) < RESULT_LASTS_MS
    if (!isRecent && !this.#isRunning) this.#result = this.#write()
    return this.#result
  }

  async #write(): Promise<void> {
    this.#startedAtMs = Date.now()
    this.#isRunning = true
    try {
      // SQLite does not write a row whose value is the same.
      await this.#db.transaction(() => this.#rows.put(KEY, Date.now()))
    } catch (cause) {
      throw new Fault('unavailable', sentenceOf(cause), { cause })
    } finally {
      this.#isRunning = false
    }
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Fault) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(SQLITE|POSTGRES)_FULL/.test(code)) return 'There is no space left for the database.'
  if (/^(SQLITE|POSTGRES)_READONLY/.test(code)) return 'The database can only be read.'
  if (code === 'POSTGRES_UNREACHABLE') return 'The database does not answer.'
  return 'The database cannot be written.'
}
