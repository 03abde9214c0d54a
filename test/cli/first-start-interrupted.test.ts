/** The import at the first start while other processes, or the remains of earlier ones, use the same database. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { importAtFirstStart } from '#server/takeover/first-start.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { startServer } from '../support/server/server.ts'

const STARTS = [1, 2, 3, 4]
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  for (const number of STARTS) mkdirSync(at(`srv${number}`))
  const users = Array.from({ length: 50 }, (_, index) => oldUser(index + 2, `user ${index}`))
  writeFileSync(at('filebrowser.db'), oldDatabase({ users: [oldUser(1, 'admin'), ...users] }))
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const start = (number: number) =>
  startServer({ root: at(`srv${number}`), database: at('filebrowser.db') })

test('an old database is imported once if several servers start at the same time @spec-10.3', async () => {
  const started = await Promise.allSettled(STARTS.map(start))
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    const failures = started.flatMap((one) => (one.status === 'rejected' ? [`${one.reason}`] : []))
    expect(failures).toEqual([])
    for (const server of servers) await signIn(server.url, 'user 49', PASSWORD)
    const reports = servers.filter((server) => server.output().includes('It was imported into'))
    expect(reports).toHaveLength(1)
    expect(readdirSync(folder.path).filter((name) => name.includes('unfinished'))).toEqual([])
  } finally {
    for (const server of servers) await server.stop()
  }
})

test('the log of a deleted database is not applied to the imported one @spec-10.3', async () => {
  writeLeftOverLog(at('filemgr.db'))
  const server = await start(1)
  try {
    await signIn(server.url, 'user 49', PASSWORD)
  } finally {
    await server.stop()
  }
  const db = new Database(at('filemgr.db'), { readonly: true })
  const tables = db.query("SELECT name FROM sqlite_schema WHERE name = 'foreign_table'").all()
  db.close()
  expect(tables).toEqual([])
})

test('an import does not replace a database that another process has created since @spec-10.3', async () => {
  const path = at('filebrowser.db')
  const load = (database?: string) => {
    // The import opens its own database: another process creates one now.
    if (database !== undefined) writeFileSync(at('filemgr.db'), 'of another process')
    return loadConfig({ flags: { root: at('srv1'), database: database ?? path }, env: {} })
  }
  await expect(importAtFirstStart(load)).rejects.toThrow('created by another program')
  expect(readFileSync(at('filemgr.db'), 'utf8')).toBe('of another process')
  expect(existsSync(at('filemgr.db.unfinished'))).toBe(false)
})

/** Leaves the `-wal` file of a database that was deleted while a process had it open. */
function writeLeftOverLog(path: string): void {
  const db = new Database(path, { create: true })
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE foreign_table (id INTEGER)')
  const log = readFileSync(`${path}-wal`)
  db.close()
  for (const ending of ['', '-shm']) rmSync(path + ending, { force: true })
  writeFileSync(`${path}-wal`, log)
}
