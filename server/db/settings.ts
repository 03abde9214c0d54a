/** Settings: key → JSON. */
import type { Database } from 'bun:sqlite'

export class SettingRows {
  readonly #db: Database
  /** What others have written by the present turn of the event loop; undefined where nobody has asked in it. */
  #outside: number | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The stored value, or undefined. What it means is for the caller to check. */
  find(key: string): unknown {
    const row = this.#db
      .query<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?')
      .get(key)
    return row ? JSON.parse(row.value) : undefined
  }

  put(key: string, value: unknown): void {
    this.#db
      .query(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      )
      .run(key, JSON.stringify(value))
  }

  /** Stores the value only where there is none yet, and returns what is stored. */
  ensure(key: string, value: unknown): unknown {
    this.#db
      .query('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(key, JSON.stringify(value))
    return this.find(key)
  }

  /**
   * Changes whenever another connection has written to the database, a command line for example. Asked once in a turn of
   * the event loop: whatever arrives after a change is read in a later one.
   */
  outsideVersion(): number {
    if (this.#outside !== undefined) return this.#outside
    const row = this.#db.query<{ data_version: number }, []>('PRAGMA data_version').get()
    this.#outside = row?.data_version ?? 0
    setImmediate(() => {
      this.#outside = undefined
    })
    return this.#outside
  }
}
