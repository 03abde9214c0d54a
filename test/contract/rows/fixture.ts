/** What the tests of the rows need of a database. */
import type { Database } from '#server/db/database.ts'

/** A database without rows, for one test. */
export interface RowsFixture {
  db: Database
  /** Opens the same database as another process does. */
  openOther(): Promise<Database>
  close(): Promise<void>
}

/** The database of the running test. */
export interface Given {
  readonly db: Database
  openOther(): Promise<Database>
}

/** Adds users without rights, whose names are `user` and their id. */
export async function insertUsers(db: Database, ...ids: number[]): Promise<void> {
  const insert = db.query<unknown, { id: number; username: string }>(
    `INSERT INTO users (id, username, password_hash, scope, lock_password, perm, commands, rules,
       preferences, changed_ms) VALUES ($id, $username, '', '/', 0, '{}', '[]', '[]', '{}', 0)`,
  )
  for (const id of ids) await insert.run({ id, username: `user ${id}` })
}

/** The number of rows of a table. */
export async function countOf(db: Database, table: string): Promise<number> {
  const query = db.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`)
  return (await query.get())?.count ?? 0
}
