/** Two servers with one database count failed sign-ins together. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome, signInWhenFree } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let servers: TestServer[]
beforeAll(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'root'))
  servers = [await start(), await start()]
}, 60_000)
afterAll(async () => {
  for (const server of servers) await server.stop()
  folder.remove()
})

const start = () =>
  startServer({
    root: join(folder.path, 'root'),
    database: join(folder.path, 'filemgr.db'),
    args: ['--trusted-proxies', '127.0.0.1'],
  })

/** Signs in at one of the servers, from an address. */
function enter(at: number, address: string, username: string, password = 'wrong') {
  const client = anonymous(servers[at % servers.length]?.url ?? '')
  const headers = { 'X-Forwarded-For': address }
  return outcome(client.call('POST', API.login, { username, password }, headers))
}

test('tries at two servers are as many as at one', async () => {
  const answers: string[] = []
  for (let turn = 0; turn < 12; turn += 1) answers.push(await enter(turn, '192.0.2.1', 'anna'))
  expect(answers.filter((one) => one === '403 wrongCredentials')).toHaveLength(8)
  expect(answers.slice(8)).toEqual(Array(4).fill('429 tooMany'))
  expect(await enter(0, '192.0.2.2', 'anna')).toBe('403 wrongCredentials')
})

test('many tries at once at two servers are few more than one after the other', async () => {
  const tries = Array.from({ length: 60 }, (_, turn) => enter(turn, '192.0.2.3', 'bob'))
  const compared = (await Promise.all(tries)).filter((one) => one === '403 wrongCredentials')
  expect(compared.length).toBeGreaterThanOrEqual(8)
  expect(compared.length).toBeLessThanOrEqual(16)
  for (const at of [0, 1]) expect(await enter(at, '192.0.2.3', 'bob')).toBe('429 tooMany')
})

test('a right password at one server ends the count of the account at the other', async () => {
  for (let turn = 0; turn < 7; turn += 1) await enter(turn, '192.0.2.4', 'admin')
  expect(await enter(0, '192.0.2.4', 'admin', PASSWORD)).toBe('200')
  const answers: string[] = []
  for (let turn = 0; turn < 7; turn += 1) answers.push(await enter(1, '192.0.2.4', 'admin'))
  expect(answers).toEqual(Array(7).fill('403 wrongCredentials'))
})

test('the counters are in the database without the names that were typed', async () => {
  await enter(0, '192.0.2.5', 'a password as a name')
  const db = new Database(join(folder.path, 'filemgr.db'), { readonly: true })
  const keys = db.query<{ key: string }, []>('SELECT key FROM failures').all()
  db.close()
  expect(keys.length).toBeGreaterThan(0)
  for (const { key } of keys) expect(key).toMatch(/^[0-9a-f]{64}$/)
})

test('tries are counted while another program holds the database', async () => {
  await signInWhenFree(servers[0]?.url ?? '', 'admin', PASSWORD)
  const db = new Database(join(folder.path, 'filemgr.db'))
  db.exec('BEGIN IMMEDIATE')
  const answers: string[] = []
  for (let turn = 0; turn < 12; turn += 1) answers.push(await enter(0, '192.0.2.6', 'carol'))
  db.exec('ROLLBACK')
  db.close()
  expect(answers.filter((one) => one === '403 wrongCredentials')).toHaveLength(8)
}, 30_000)
