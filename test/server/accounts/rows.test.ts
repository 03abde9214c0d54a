/** Limits on the rows that users can create: sessions, shares and accounts. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { SignUp } from '#server/accounts/sign-in/sign-up.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { loadConfig } from '#server/config/load.ts'
import { type Core, openCore } from '#server/core.ts'
import { openDatabase } from '#server/db/open.ts'
import { ShareRows, type StoredShare } from '#server/db/rows/shares.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { MemoryStorage } from '../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'

const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
const CALLER = { address: '192.0.2.1', agent: 'test' }

let folder: ReturnType<typeof temporaryFolder>
let core: Core
beforeEach(async () => {
  folder = temporaryFolder()
  core = await openCore(loadConfig({ flags: { database: path() }, env: {} }))
  const perm = { perm: permissionsOf('admin') }
  await core.users.createHashed('admin', await Bun.password.hash('right', CHEAP), perm)
})
afterEach(async () => {
  setSystemTime()
  await core.close()
  folder.remove()
})

const path = () => join(folder.path, 'f.db')
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )

test('if a user has too many sessions, the least recently used one ends @limit-79', async () => {
  const user = await core.users.get(1)
  const first = await core.sessions.open(user, CALLER)
  const start = Date.now()
  for (let more = 1; more < SERVER_LIMITS.sessionsMax; more += 1) {
    setSystemTime(start + more)
    await core.sessions.open(user, CALLER)
  }
  expect(await core.sessions.list(1)).toHaveLength(SERVER_LIMITS.sessionsMax)
  expect(await core.sessions.authenticate(first, CALLER.address)).toBeDefined()
  setSystemTime(start + SERVER_LIMITS.sessionsMax)
  const last = await core.sessions.open(user, CALLER)
  expect(await core.sessions.list(1)).toHaveLength(SERVER_LIMITS.sessionsMax)
  expect(await core.sessions.authenticate(first, CALLER.address)).toBeUndefined()
  expect(await core.sessions.authenticate(last, CALLER.address)).toBeDefined()
}, 60_000)

/** The scope of a user with a share, and a function that inserts more shares. */
async function withShare() {
  const storage = new MemoryStorage()
  await storage.write(parsePath('/a'), new Uint8Array(1), { overwrite: false })
  const actor = {
    id: 1,
    username: 'admin',
    perm: permissionsOf('admin', 'share', 'download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [],
    hideDotfiles: false,
  }
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const share = await core.shares.create(scope, parsePath('/a'), {})
  const insert = async (links: StoredShare[]) => {
    const db = new SqliteDatabase(openDatabase(path()), async () => undefined)
    const rows = new ShareRows(db)
    await db.lazily(async () => {
      for (const link of links) await rows.insert({ ...link, hash: `link ${made++}` })
    })
    await db.close()
  }
  return { scope, share, insert }
}
let made = 0

test('the number of shares of one user is limited, and removing some makes room @limit-80', async () => {
  const { scope, share, insert } = await withShare()
  await insert(Array.from({ length: SERVER_LIMITS.sharesMax - 1 }, () => share))
  const create = () => core.shares.create(scope, parsePath('/a'), {})
  expect(await code(create())).toBe('tooMany')
  await core.shares.remove(scope, share.hash)
  const both = await Promise.all([code(create()), code(create())])
  expect(both.toSorted()).toEqual(['no fault', 'tooMany'])
}, 60_000)

test('shares that are restored from the trash count towards the limit', async () => {
  const { share, insert } = await withShare()
  const lost = await core.shares.sharesBelow(parsePath('/a'))
  await core.shares.removed(parsePath('/a'))
  await insert(Array.from({ length: SERVER_LIMITS.sharesMax }, () => share))
  await core.shares.restored(lost, parsePath('/a'), parsePath('/a'))
  expect(await core.shares.find(share.hash)).toBeUndefined()
  await core.shares.removeAsOperator(`link ${made - 1}`)
  await core.shares.restored(lost, parsePath('/a'), parsePath('/a'))
  expect(await core.shares.find(share.hash)).toBeDefined()
}, 60_000)

test('the total length of the paths of one user’s shares is limited @limit-82', async () => {
  const { scope, share, insert } = await withShare()
  const path = parsePath(`/${'n'.repeat(4000)}`)
  const many = Math.ceil(SERVER_LIMITS.sharePathsMaxBytes / (2 * path.length))
  await insert(Array.from({ length: many - 1 }, () => ({ ...share, path, realPath: path })))
  expect(await code(core.shares.create(scope, parsePath('/a'), {}))).toBe('no fault')
  await insert([{ ...share, path, realPath: path }])
  expect(await code(core.shares.create(scope, parsePath('/a'), {}))).toBe('tooMany')
})

test('one address can create a few accounts, and waits longer for each further one @limit-86', async () => {
  await core.settings.put({ ...core.settings.get(), signup: true, createUserDir: true })
  const homes = { make: async () => undefined, isFree: async () => true }
  const signUp = new SignUp(core.settings, new Provisioning(core.users, core.settings, homes))
  const make = (number: number, address = '192.0.2.1') =>
    code(signUp.create(`person ${number}`, 'correct horse battery', address))
  for (let number = 0; number < 10; number += 1) expect(await make(number)).toBe('no fault')
  expect(await make(10)).toBe('tooMany')
  expect(await make(10, '192.0.2.2')).toBe('no fault')
  setSystemTime(Date.now() + 5000)
  expect(await make(11)).toBe('no fault')
  expect(await make(12)).toBe('tooMany')
}, 60_000)
