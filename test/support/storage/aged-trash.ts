/**
 * Makes deletions older, so that a test need not wait for the time in which no write removes them from the trash. Playwright's
 * runner, which is no Bun, uses it too.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { REPO_ROOT } from '../server/executable.ts'

const BUN = join(REPO_ROOT, 'node_modules/.bin/bun')
const MINUTE_MS = 60_000
const UPDATE = `import { Database } from 'bun:sqlite'
const [path, ms] = process.argv.slice(1)
const database = new Database(path)
database.run('PRAGMA busy_timeout = 5000')
database.run('UPDATE kept SET at_ms = at_ms - ?1 WHERE at_ms > ?2 - ?1', [Number(ms), Date.now()])`

/**
 * Older deletions stay as they are: from an hour on, other limits apply to them.
 *
 * @param database the path of the database of a running server
 * @param ms how much older; more than the ten minutes for which a write removes nothing
 */
export function ageTrash(database: string, ms = 11 * MINUTE_MS): void {
  execFileSync(BUN, ['-e', UPDATE, database, String(ms)])
}
