/** Settings: key → JSON. */
import type { Database } from '../database.ts'

export class SettingRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @returns the stored value, which the caller must validate; undefined if there is none */
  async find(key: string): Promise<unknown> {
    const row = await this.#db
      .query<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?')
      .get(key)
    return row ? JSON.parse(row.value) : undefined
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#db
      .query(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      )
      .run(key, JSON.stringify(value))
  }

  /** Runs `work` in a write transaction: what it reads is not changed by another process before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  /** Stores the value unless there is one, and returns the stored one. */
  async ensure(key: string, value: unknown): Promise<unknown> {
    await this.#db
      .query('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(key, JSON.stringify(value))
    return this.find(key)
  }

  /** As of `Database`, of the rows that decide about access. */
  outsideVersion(): Promise<string> {
    return this.#db.outsideVersion('access')
  }
}
