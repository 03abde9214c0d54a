/** Settings: key → JSON. */
import type { Database } from 'bun:sqlite'

export class SettingRows {
  readonly #db: Database
  /** The version as read in this turn of the event loop; undefined if it was not read yet. */
  #outsideVersion: number | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** @returns the stored value, which the caller must validate; undefined if there is none */
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

  /** Runs `work` in a write transaction: what it reads is not changed by another process before it ends. */
  atomically<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  /** Stores the value unless there is one, and returns the stored one. */
  ensure(key: string, value: unknown): unknown {
    this.#db
      .query('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(key, JSON.stringify(value))
    return this.find(key)
  }

  /**
   * Changes when another connection, such as the command line, has written to the database. Read once in each turn of
   * the event loop, since requests that arrive after a change are handled in a later one.
   */
  outsideVersion(): number {
    if (this.#outsideVersion !== undefined) return this.#outsideVersion
    const row = this.#db.query<{ data_version: number }, []>('PRAGMA data_version').get()
    this.#outsideVersion = row?.data_version ?? 0
    setImmediate(() => {
      this.#outsideVersion = undefined
    })
    return this.#outsideVersion
  }
}
