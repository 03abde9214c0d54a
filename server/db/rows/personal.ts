/** Personal data of a user: a text for each key, deleted with the account. */
import type { Database } from '../database.ts'
import { putRow } from '../insert-row.ts'

export class PersonalRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Runs `work` in one transaction: what it reads is not changed by others before it ends. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  async find(userId: number, key: string): Promise<string | undefined> {
    return (
      await this.#db
        .query<{ value: string }, [number, string]>(
          'SELECT value FROM personal WHERE user_id = ? AND key = ?',
        )
        .get(userId, key)
    )?.value
  }

  async put(userId: number, key: string, value: string): Promise<void> {
    await putRow(this.#db, 'personal', { user_id: userId, key, value }, 'user_id', 'key')
  }

  async remove(userId: number, key: string): Promise<void> {
    await this.#db.query('DELETE FROM personal WHERE user_id = ? AND key = ?').run(userId, key)
  }
}
