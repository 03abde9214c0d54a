/** The database of a server that a test starts: a file, or a new one on the PostgreSQL server of a whole run of tests. */
import { join } from 'node:path'

/** The address of a PostgreSQL server, with a user who may create databases; DATABASE_PASSWORD_VARIABLE has the password. */
export const POSTGRES_VARIABLE = 'FILEMGR_TEST_POSTGRES'

/** @param folder where a file is created */
export async function newDatabase(folder: string): Promise<string> {
  const server = process.env[POSTGRES_VARIABLE]
  if (!server) return join(folder, 'filemgr.db')
  // Playwright's runner has no client for it.
  const { createDatabase } = await import('./postgres.ts')
  return createDatabase(server)
}
