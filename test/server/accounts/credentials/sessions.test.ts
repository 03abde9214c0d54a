/** Session tokens and signed URLs: which are accepted, and for how long. */

import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import { decodeJwt, SignJWT } from 'jose'
import { CACHED_SESSIONS_MAX, SessionCache } from '#server/accounts/credentials/session-cache.ts'
import { TOKEN_CACHE_MAX, Tokens } from '#server/accounts/credentials/tokens.ts'
import { openDatabase } from '#server/db/open.ts'
import { SessionRows } from '#server/db/rows/sessions.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import type { TokenUser } from '#wire/api/session.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'

const HERE = '192.0.2.1'
const MINUTE_MS = 60_000

let core: TestCore
let anna: StoredUser
beforeEach(async () => {
  core = await temporaryCore()
  const perm = permissionsOf('admin')
  anna = await core.users.createHashed('anna', await Bun.password.hash('right', CHEAP), { perm })
})
afterEach(async () => {
  setSystemTime()
  await core.close()
})

const open = (agent = 'test') => core.sessions.open(anna, { address: HERE, agent })
const usernameOf = async (token: string) =>
  (await core.sessions.authenticate(token, HERE))?.user.username
const later = (ms: number) => setSystemTime(Date.now() + ms)
const signedUrl = (session: string) => ({ session, path: '/a', query: '', from: 'http://x' })

/** A token that is signed with the key of the server, or with another one. */
function signed(payload: object, key = ownKey(), alg = 'HS256'): Promise<string> {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(key)
}

function ownKey(): Uint8Array {
  using db = new Database(core.database)
  const row = db.query("SELECT value FROM settings WHERE key = 'key'").get() as { value: string }
  return Buffer.from(String(JSON.parse(row.value)), 'base64')
}

test('a token is valid until its session ends', async () => {
  const [first, second, third] = [await open(), await open(), await open()]
  const [one] = await core.sessions.list(anna.id)
  expect(await usernameOf(first)).toBe('anna')
  await core.sessions.end(String(decodeJwt(first).sid))
  expect(await usernameOf(first)).toBeUndefined()
  expect(await usernameOf(second)).toBe('anna')
  await core.sessions.endAll(anna.id + 1)
  expect(await usernameOf(second)).toBe('anna')
  await core.sessions.endAll(anna.id)
  expect([await usernameOf(second), await usernameOf(third)]).toEqual([undefined, undefined])
  expect(one).toBeDefined()
})

test('an expired session is refused, by its row and by its token', async () => {
  const token = await open()
  const [session] = await core.sessions.list()
  const lifetimeMs = (session?.expiresMs ?? 0) - Date.now()
  expect((decodeJwt(token).exp ?? 0) * 1000).toBeLessThanOrEqual(session?.expiresMs ?? 0)
  later(lifetimeMs - MINUTE_MS)
  expect(await usernameOf(token)).toBe('anna')
  later(2 * MINUTE_MS)
  expect(await usernameOf(token)).toBeUndefined()
  expect(await core.sessions.list()).toEqual([])
})

test('the list has only live sessions, of one user if asked, and writes nothing', async () => {
  const bert = await core.users.createHashed('bert', await Bun.password.hash('right', CHEAP))
  await core.sessions.open(bert, { address: HERE, agent: 'of bert' })
  await open('expired')
  later(MINUTE_MS)
  await open('live')
  const agents = async (userId?: number) =>
    (await core.sessions.list(userId)).map(({ agent }) => agent)
  using db = new Database(core.database)
  db.run("UPDATE sessions SET expires_ms = ? WHERE agent = 'expired'", [Date.now()])
  const remove = spyOn(SessionRows.prototype, 'removeExpired')
  try {
    expect(await agents()).toEqual(['live', 'of bert'])
    expect(await agents(anna.id)).toEqual(['live'])
    expect(remove).not.toHaveBeenCalled()
  } finally {
    remove.mockRestore()
  }
})

test('an ended session is refused, whatever its token contains', async () => {
  const token = await open()
  using db = new Database(core.database)
  db.run('UPDATE sessions SET expires_ms = ?', [Date.now() - 1])
  expect(await usernameOf(token)).toBeUndefined()
})

test('a foreign token is refused: another key, no expiry, no session, a signed URL', async () => {
  const token = await open()
  const claims = decodeJwt(token)
  const { exp: _, ...endless } = claims
  const { iss: __, ...issuedByOthers } = claims
  expect(await usernameOf(await signed(claims))).toBe('anna')
  for (const forged of [
    await signed(claims, new Uint8Array(32)),
    await signed(claims, undefined, 'HS512'),
    await signed(endless),
    await signed(issuedByOthers),
    await signed({ ...claims, sid: 'another' }),
    await core.sessions.issueSignedUrl(signedUrl(String(claims.sid))),
    'a.b.c',
    '',
  ]) {
    expect(await usernameOf(forged)).toBeUndefined()
  }
})

test('a signed URL is accepted if it is complete, signed by this server and not older than a day', async () => {
  const token = await open()
  const session = String(decodeJwt(token).sid)
  const text = await core.sessions.issueSignedUrl(signedUrl(session))
  expect(await core.sessions.readSignedUrl(text)).toMatchObject(signedUrl(session))
  const [head, body, signature] = text.split('.')
  const changed = Buffer.from(JSON.stringify({ ...decodeJwt(text), path: '/b' })).toString(
    'base64url',
  )
  for (const forged of [`${head}.${changed}.${signature}`, `${head}.${body}.`, token, '']) {
    expect(await core.sessions.readSignedUrl(forged)).toBeUndefined()
  }
  // It has the fields of a signed URL and the signature of this server, but not the audience of a signed URL.
  const { aud: _, ...forNobody } = decodeJwt(text)
  expect(await core.sessions.readSignedUrl(await signed(forNobody))).toBeUndefined()
  expect(await core.sessions.readSignedUrl(await signed(decodeJwt(text)))).toBeDefined()
  later(25 * 60 * MINUTE_MS)
  expect(await core.sessions.readSignedUrl(text)).toBeUndefined()
})

test('the stored length of a user agent is limited', async () => {
  await open('x'.repeat(100_000))
  expect((await core.sessions.list())[0]?.agent).toHaveLength(256)
})

test('a database that cannot be written does not prevent requests', async () => {
  const token = await open()
  later(2 * MINUTE_MS)
  const blocker = new Database(core.database)
  blocker.run("CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(FAIL, 'full'); END")
  blocker.close()
  expect(await usernameOf(token)).toBe('anna')
})

describe('the cache of sessions', () => {
  const rightsOf = async (token: string) =>
    (await core.sessions.authenticate(token, HERE))?.user.perm.admin

  test('a cached session is read again after another program wrote to the database', async () => {
    const token = await open()
    expect(await rightsOf(token)).toBe(true)
    using db = new Database(core.database)
    db.run('UPDATE users SET perm = ?', [JSON.stringify(permissionsOf())])
    await nextTurn()
    expect(await rightsOf(token)).toBe(false)
    db.run('DELETE FROM sessions')
    await nextTurn()
    expect(await usernameOf(token)).toBeUndefined()
  })

  test('a cached session is read again after its user was changed or removed', async () => {
    const token = await open()
    await core.users.createHashed('bert', await Bun.password.hash('right', CHEAP), {
      perm: permissionsOf('admin'),
    })
    expect(await rightsOf(token)).toBe(true)
    await core.users.update(anna.id, { perm: permissionsOf('create') })
    const again = await open()
    expect(await rightsOf(again)).toBe(false)
    await core.users.remove(anna.id)
    expect(await usernameOf(again)).toBeUndefined()
  })

  test('a cached session is read again after a change was rolled back', async () => {
    const token = await open()
    const id = String(decodeJwt(token).sid)
    const failing = () =>
      core.rows.users.atomically(async () => {
        await core.rows.users.update({ ...anna, perm: permissionsOf() })
        expect((await core.sessions.userOf(id))?.perm.admin).toBe(false)
        throw new Error('not now')
      })
    await expect(failing()).rejects.toThrow('not now')
    expect((await core.sessions.userOf(id))?.perm.admin).toBe(true)
  })

  test('the number of cached sessions is limited', async () => {
    const db = new SqliteDatabase(openDatabase(core.database), async () => undefined)
    const rows = new SessionRows(db)
    const expiresMs = Date.now() + MINUTE_MS
    const session = { userId: anna.id, createdMs: 0, seenMs: 0, expiresMs, verifiedMs: 0 }
    const names = Array.from({ length: CACHED_SESSIONS_MAX + 1 }, (_, at) => `session ${at}`)
    await db.lazily(async () => {
      for (const id of names) {
        await rows.insert({ ...session, id, address: HERE, agent: 'test', hasOwnCookie: false })
      }
    })
    const read = spyOn(rows, 'find')
    const known = new SessionCache(rows, core.rows.users, async () => '')
    const find = async (at: number) =>
      (await known.find(names[at] ?? '', Date.now()))?.user.username
    expect([await find(0), await find(0)]).toEqual(['anna', 'anna'])
    expect(read).toHaveBeenCalledTimes(1)
    for (const at of names.keys()) expect(await find(at)).toBe('anna')
    expect(await find(0)).toBe('anna')
    expect(read).toHaveBeenCalledTimes(CACHED_SESSIONS_MAX + 2)
    await db.close()
  })
})

test('the number of cached tokens is limited', async () => {
  const tokens = new Tokens(new Uint8Array(32))
  const verify = spyOn(crypto.subtle, 'verify')
  const user = {} as TokenUser
  const issued: string[] = []
  for (let at = 0; at <= TOKEN_CACHE_MAX; at += 1) {
    const names = { session: `${at}`, expiresMs: Date.now() + MINUTE_MS, changedMs: 1 }
    issued.push(await tokens.issue(names, user))
  }
  const first = issued[0] ?? ''
  for (const token of [...issued, issued[1] ?? '']) await tokens.read(token)
  expect(verify).toHaveBeenCalledTimes(TOKEN_CACHE_MAX + 1)
  expect((await tokens.read(first))?.session).toBe('0')
  expect(verify).toHaveBeenCalledTimes(TOKEN_CACHE_MAX + 2)
  verify.mockRestore()
})

/** A request that is sent after a change of another process is read in a later turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}
