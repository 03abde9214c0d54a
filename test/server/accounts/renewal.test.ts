/** Renewing a session that several windows of one browser hold (docs/decisions.md 7). */

import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { type Core, openCore } from '#server/core.ts'
import { MIGRATIONS } from '#server/db/migrations.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
const CALLER = { address: '192.0.2.1', agent: 'test' }
const HOUR_MS = 60 * 60_000

let folder: ReturnType<typeof temporaryFolder>
let core: Core
let start: number
beforeEach(async () => {
  folder = temporaryFolder()
  core = await openCore(loadConfig({ flags: { database: path() }, env: {} }))
  const perm = { perm: permissionsOf('admin') }
  await core.users.createHashed('admin', await Bun.password.hash('right', CHEAP), perm)
  start = Math.ceil(Date.now() / 1000) * 1000
  setSystemTime(start)
})
afterEach(async () => {
  setSystemTime()
  await core.close()
  folder.remove()
})

const path = () => join(folder.path, 'f.db')
const open = async () => core.sessions.open(await core.users.get(1), CALLER)
/** The state of a token: `in` (valid), `renew` (valid, but the client should renew it) or `out` (invalid). */
async function stateOf(token: string): Promise<string> {
  const auth = await core.sessions.authenticate(token, CALLER.address)
  return auth ? (auth.shouldRenew ? 'renew' : 'in') : 'out'
}
async function renew(token: string): Promise<string> {
  const auth = await core.sessions.authenticate(token, CALLER.address)
  if (!auth) throw new Error('The token is invalid.')
  return core.sessions.renew(auth)
}
const at = (hours: number) => setSystemTime(start + hours * HOUR_MS)

describe('two windows with one token', () => {
  test('two windows renew their tokens independently, and neither invalidates the other', async () => {
    const shared = await open()
    at(1.25)
    expect(await stateOf(shared)).toBe('renew')
    const first = await renew(shared)
    expect(await stateOf(first)).toBe('in')
    // The renewal in one window does not change the token of the other, which should still be renewed.
    at(1.9)
    expect(await stateOf(shared)).toBe('renew')
    const second = await renew(shared)
    expect(second).not.toBe(first)
    at(2.5)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['renew', 'in'])
  })

  test('a token expires although its session continues @spec-7.8', async () => {
    const old = await open()
    at(1.5)
    const next = await renew(old)
    at(2.01)
    expect([await stateOf(old), await stateOf(next)]).toEqual(['out', 'in'])
    at(3.51)
    expect(await stateOf(next)).toBe('out')
  })

  test('all tokens of a session end with it', async () => {
    const tokens = [await open()]
    for (let more = 0; more < 3; more += 1) tokens.push(await renew(tokens[0] ?? ''))
    expect(new Set(tokens).size).toBe(4)
    const [session] = await core.sessions.list(1)
    await core.sessions.end(session?.id ?? '')
    expect(await Promise.all(tokens.map(stateOf))).toEqual(['out', 'out', 'out', 'out'])
  })
})

test('tokens issued before a change must be renewed, and later ones need not', async () => {
  const token = await open()
  const other = await open()
  expect(await stateOf(token)).toBe('in')
  setSystemTime(start + 10)
  await core.users.update(1, { hideDotfiles: true })
  setSystemTime(start + 5 * 60_000)
  expect([await stateOf(token), await stateOf(token), await stateOf(other)]).toEqual([
    'renew',
    'renew',
    'renew',
  ])
  expect(await stateOf(await renew(token))).toBe('in')
})

test('sessions of an older database continue', async () => {
  const steps = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex((step) => step.includes('DROP COLUMN token')),
  )
  const file = join(folder.path, 'older.db')
  const older = new Database(file)
  for (const step of steps) older.exec(step)
  older.exec(`
    INSERT INTO users VALUES (1, 'ana', 'hash', '/', 0, '{}', '[]', '[]', '{}', 0);
    INSERT INTO sessions VALUES ('kept', 1, 'token', NULL, 0, 0, 0, ${start + HOUR_MS}, '', '');
    PRAGMA user_version = ${steps.length}
  `)
  older.close()
  const newer = await openCore(loadConfig({ flags: { database: file }, env: {} }))
  expect((await newer.sessions.list(1)).map(({ id }) => id)).toEqual(['kept'])
  await newer.close()
})
