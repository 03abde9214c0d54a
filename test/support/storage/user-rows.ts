/** Users in a database that is opened without a server, for tests of single tables. */
import type { Database } from 'bun:sqlite'

/** Adds users without rights, whose names are `user` and their id. */
export function insertUsers(db: Database, ...ids: number[]): void {
  for (const id of ids) {
    db.query(
      `INSERT INTO users (id, username, password_hash, scope, lock_password, perm, commands, rules,
         preferences, changed_ms) VALUES (?, ?, '', '/', 0, '{}', '[]', '[]', '{}', 0)`,
    ).run(id, `user ${id}`)
  }
}
