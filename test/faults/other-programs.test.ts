/** Another program reads the database of a running server, and closes it: the server keeps its log, and loses nothing. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp } from '../support/server/test-app.ts'

/** As `sqlite3 DATABASE .tables` does. */
const READS = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute('SELECT name FROM sqlite_schema').fetchall()
database.close()
`

const python = Bun.which('python3')
if (!python)
  process.stdout.write('No other program reads a database in a test: python3 is missing.\n')

function readByOtherProgram(database: string): void {
  const { exitCode, stderr } = Bun.spawnSync([python ?? '', '-c', READS, database])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

test.skipIf(!python)(
  'the server keeps its log, also after its configuration was read again',
  async () => {
    const app = await openTestApp()
    try {
      readByOtherProgram(app.database)
      expect(existsSync(`${app.database}-wal`)).toBe(true)
      app.server.kill('SIGHUP')
      await app.server.says(/The configuration was read again/)
      readByOtherProgram(app.database)
      expect(existsSync(`${app.database}-wal`)).toBe(true)
      expect((await signIn(app.url, 'admin', PASSWORD)).token).not.toBe('')
    } finally {
      await app.stop()
    }
  },
)

test.skipIf(!python).each(['local', 'portable'])(
  'the server with the %s storage keeps its log if its database is in the served folder',
  async (storage) => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const database = join(root, 'filemgr.db')
    const server = await startServer({ root, database, args: ['--storage', storage] })
    try {
      const admin = await signIn(server.url, 'admin', server.password)
      const paths = ['raw', 'resources', 'preview/thumb', 'media', 'subtitle', 'archive', 'tus']
      for (const name of ['filemgr.db', 'filemgr.db-shm']) {
        for (const path of paths) await outcome(admin.call('GET', `/api/${path}/${name}`))
        await outcome(admin.call('GET', `${API.resources}/${name}?checksum=md5`))
        await outcome(admin.call('PUT', `${API.resources}/${name}`, 'x'))
        await outcome(admin.call('PATCH', `${API.resources}/${name}?action=copy&destination=/copy`))
        await outcome(admin.call('POST', `${API.share}/${name}`, {}))
      }
      for (const query of ['raw/?algo=tar', 'search/?query=filemgr', 'find-text/?query=SQLite'])
        await (await admin.call('GET', `/api/${query}`)).text()
      readByOtherProgram(database)
      expect(existsSync(`${database}-wal`)).toBe(true)
      expect((await signIn(server.url, 'admin', server.password)).token).not.toBe('')
    } finally {
      await server.stop()
      folder.remove()
    }
  },
)
