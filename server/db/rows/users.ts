/** Users: rows ↔ StoredUser. No response of the server contains the password hash. */

import { type Preferences, preferencesOf, type User } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { isTaken } from '../constraints.ts'
import type { Database } from '../database.ts'
import { insertReturning } from '../insert-row.ts'

export interface StoredUser extends Omit<User, 'password'> {
  passwordHash: string
  changedMs: number
  /** When the user last signed in; 0 for never. Each new session sets it. */
  signedInMs: number
}

export type NewUser = Omit<StoredUser, 'id' | 'changedMs' | 'signedInMs'>

interface Row {
  id: number
  username: string
  password_hash: string
  scope: string
  lock_password: number
  perm: string
  commands: string
  rules: string
  preferences: string
  changed_ms: number
  signed_in_ms: number
}

type Columns = Omit<Row, 'id' | 'signed_in_ms'>

export class UserRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Increases with each change of a user by this process. */
  get writes(): number {
    return this.#db.writesTo('users')
  }

  /** All users by id. */
  async list(): Promise<StoredUser[]> {
    return (await this.#db.query<Row, []>('SELECT * FROM users ORDER BY id').all()).map(toUser)
  }

  async find(id: number): Promise<StoredUser | undefined> {
    const row = await this.#db.query<Row, [number]>('SELECT * FROM users WHERE id = ?').get(id)
    return row ? toUser(row) : undefined
  }

  async findByName(username: string): Promise<StoredUser | undefined> {
    const row = await this.#db
      .query<Row, [string]>('SELECT * FROM users WHERE username = ?')
      .get(username)
    return row ? toUser(row) : undefined
  }

  async count(): Promise<number> {
    return (
      (await this.#db.query<{ n: number }, []>('SELECT count(*) AS n FROM users').get())?.n ?? 0
    )
  }

  /**
   * @param id a free id, or undefined for the next one
   * @throws Fault usernameTaken
   */
  async insert(user: NewUser, id?: number): Promise<StoredUser> {
    const columns = toColumns(user)
    const row = await this.#storingName(() =>
      insertReturning<Row>(this.#db, 'users', id === undefined ? columns : { ...columns, id }),
    )
    if (!row) throw new Fault('internal', 'The user was not stored.')
    return toUser(row)
  }

  /** @throws Fault notFound, usernameTaken */
  async update(user: StoredUser): Promise<StoredUser> {
    const row = await this.#storingName(() =>
      this.#db
        .query<Row, Columns & { id: number }>(
          `UPDATE users SET username = $username, password_hash = $password_hash, scope = $scope,
             lock_password = $lock_password, perm = $perm, commands = $commands, rules = $rules,
             preferences = $preferences, changed_ms = $changed_ms
           WHERE id = $id RETURNING *`,
        )
        .get({ ...toColumns(user), id: user.id }),
    )
    if (!row) throw new Fault('notFound', 'There is no such user.')
    return toUser(row)
  }

  /** Marks that the home folder of a user must be created. */
  async setHomeDue(id: number): Promise<void> {
    await this.#db
      .query('INSERT INTO homes_due (user_id) VALUES (?) ON CONFLICT DO NOTHING')
      .run(id)
  }

  async isHomeDue(id: number): Promise<boolean> {
    return (await this.#db.query('SELECT 1 FROM homes_due WHERE user_id = ?').get(id)) !== null
  }

  async clearHomeDue(id: number): Promise<void> {
    await this.#db.query('DELETE FROM homes_due WHERE user_id = ?').run(id)
  }

  /** Deletes the user with all sessions, uploads, shares, jobs and personal data, and the invitation. */
  async remove(id: number): Promise<void> {
    await this.#db.query('DELETE FROM users WHERE id = ?').run(id)
  }

  /** Runs `work` in a write transaction. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    return this.#db.transaction(work)
  }

  /**
   * Runs a statement that stores a user name. It can be refused inside a transaction, which goes on then.
   *
   * @throws Fault usernameTaken
   */
  async #storingName<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#db.transaction(work)
    } catch (error) {
      if (!isTaken(error)) throw error
      throw new Fault('usernameTaken', 'This user name is taken.', {
        cause: error,
      })
    }
  }
}

function toUser(row: Row): StoredUser {
  // Written only by `toColumns`.
  const preferences = JSON.parse(row.preferences) as Preferences
  return {
    ...preferences,
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    scope: row.scope,
    lockPassword: row.lock_password === 1,
    perm: JSON.parse(row.perm),
    commands: JSON.parse(row.commands),
    rules: JSON.parse(row.rules),
    changedMs: row.changed_ms,
    signedInMs: row.signed_in_ms,
  }
}

function toColumns(user: NewUser): Columns {
  return {
    username: user.username,
    password_hash: user.passwordHash,
    scope: user.scope,
    lock_password: user.lockPassword ? 1 : 0,
    perm: JSON.stringify(user.perm),
    commands: JSON.stringify(user.commands),
    rules: JSON.stringify(user.rules),
    preferences: JSON.stringify(preferencesOf(user)),
    changed_ms: Date.now(),
  }
}
