/** Two servers that start at the same moment with an empty PostgreSQL database and an empty folder. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../support/server/postgres.ts'
import { startServer } from '../support/server/server.ts'

const ROUNDS = 10

const missing = postgresMissing()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('two servers that start at once', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.remove())

  test('both come up, with one administrator', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const folder = temporaryFolder()
      const root = join(folder.path, 'root')
      mkdirSync(root)
      const database = await postgres.create()
      const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
      const start = () => startServer({ root, database, env })
      const servers = await Promise.all([start(), start()])
      for (const [number, { url }] of servers.entries()) {
        const admin = await signIn(url, 'admin', PASSWORD)
        expect(await outcome(admin.call('POST', `${API.resources}/of-${number}`, 'new'))).toBe(
          '200',
        )
      }
      const users = await postgres.run(database, 'SELECT username FROM users')
      expect(users).toEqual([{ username: 'admin' }])
      for (const server of servers) server.kill('SIGKILL')
      await Promise.all(servers.map((server) => server.stop()))
      folder.remove()
    }
  }, 60_000)
})
