/** Personal data of a user: a text for each key, deleted with the account. */
import type { Database } from 'bun:sqlite'
import { insertRow } from '../insert-row.ts'

export class PersonalRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  find(userId: number, key: string): string | undefined {
    return this.#db
      .query<{ value: string }, [number, string]>(
        'SELECT value FROM personal WHERE user_id = ? AND key = ?',
      )
      .get(userId, key)?.value
  }

  put(userId: number, key: string, value: string): void {
    insertRow(this.#db, 'personal', { user_id: userId, key, value }, 'INSERT OR REPLACE')
  }

  remove(userId: number, key: string): void {
    this.#db.query('DELETE FROM personal WHERE user_id = ? AND key = ?').run(userId, key)
  }
}
