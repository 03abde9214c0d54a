/** What a test of the API looks up or changes in the accounts of a running server. */
import { Database } from 'bun:sqlite'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import type { TestApp } from './test-app.ts'

/** Runs a statement on the database of the server, when the server writes nothing. */
export function changeDatabase({ database }: Pick<TestApp, 'database'>, sql: string): void {
  using db = new Database(database)
  db.run('PRAGMA busy_timeout = 20000')
  db.run(sql)
}

/** The codes that sessions have given count as given long ago. */
export function forgetCodes(app: TestApp): void {
  changeDatabase(app, 'UPDATE sessions SET verified_ms = 1')
}

/** @returns the id of a user; 0 if there is none */
export async function idOf({ admin }: TestApp, username: string): Promise<number> {
  const users: User[] = await (await admin.call('GET', API.users)).json()
  return users.find((one) => one.username === username)?.id ?? 0
}
