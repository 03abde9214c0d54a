/** Requests of one user at the same moment: none passes a limit, and none loses what the other one has stored. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { KnownNetworks } from '#server/accounts/credentials/known-networks.ts'
import { openDatabase } from '#server/db/open.ts'
import { PersonalRows } from '#server/db/rows/personal.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { STANDARD_DIRECTORY } from '#wire/api/directory.ts'
import { STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'
import { code } from '../../support/storage/served.ts'

let core: TestCore
let anna: StoredUser
beforeEach(async () => {
  core = await temporaryCore()
  const hash = await Bun.password.hash('right', CHEAP)
  anna = await core.users.createHashed('anna', hash, { perm: permissionsOf('admin') })
})
afterEach(() => core.close())

test('app passwords that are made at once are not more than a user may have', async () => {
  const make = () =>
    core.appPasswords.create(anna.id, {
      name: 'phone',
      application: '',
      permissions: ['download'],
      folder: ROOT,
      target: '',
      expiresMs: 0,
    })
  for (let made = 1; made < SERVER_LIMITS.appPasswordsMax; made += 1) await make()
  const ends = await Promise.all([make(), make(), make()].map(code))
  expect(ends.toSorted()).toEqual(['no fault', 'tooMany', 'tooMany'])
  expect(await core.appPasswords.list(anna.id)).toHaveLength(SERVER_LIMITS.appPasswordsMax)
})

test('networks that are noted at once are all known', async () => {
  const db = new SqliteDatabase(openDatabase(core.database), async () => undefined)
  const networks = new KnownNetworks(new PersonalRows(db))
  const addresses = ['192.0.2.1', '198.51.100.1', '203.0.113.1']
  await Promise.all(addresses.map((address) => networks.add(anna.id, address)))
  for (const address of addresses) expect(await networks.has(anna.id, address)).toBe(true)
  await db.close()
})

test('of two users with one home folder that are made at once, one is refused', async () => {
  const hash = await Bun.password.hash('right', CHEAP)
  const make = (name: string) =>
    core.users.createHashed(name, hash, { scope: '/home' }, { requireUniqueScope: true })
  const ends = await Promise.all([make('bob'), make('carl')].map(code))
  expect(ends.toSorted()).toEqual(['conflict', 'no fault'])
})

test('the last two administrators cannot remove each other', async () => {
  const hash = await Bun.password.hash('right', CHEAP)
  const boss = await core.users.createHashed('boss', hash, { perm: permissionsOf('admin') })
  const ends = await Promise.all([core.users.remove(anna.id), core.users.remove(boss.id)].map(code))
  expect(ends.toSorted()).toEqual(['forbidden', 'no fault'])
})

test('of a provider and a directory with one id that are added at once, one is refused', async () => {
  const added = { id: 'work', label: 'Work', isEnabled: true }
  const provider = {
    ...added,
    issuer: 'https://login.example.org',
    clientID: 'filemgr',
    options: STANDARD_OPTIONS,
  }
  const directory = {
    ...added,
    options: { ...STANDARD_DIRECTORY, address: 'ldaps://localhost', base: 'dc=example,dc=org' },
  }
  const ends = await Promise.all(
    [
      core.providers.add(provider, () => core.directories.ids()),
      core.directories.add(directory, () => core.providers.ids()),
    ].map(code),
  )
  expect(ends.toSorted()).toEqual(['conflict', 'no fault'])
})

test('a refreshed setting is not replaced by what was read before a change', async () => {
  const other = await import('#server/core.ts').then(({ openCore }) => openCore(core.config))
  await other.settings.setOptions([['minimumPasswordLength', 20]])
  await new Promise(setImmediate)
  await Promise.all([
    core.settings.refresh(),
    core.settings.setOptions([['minimumPasswordLength', 30]]),
  ])
  expect(core.settings.get().minimumPasswordLength).toBe(30)
  await other.close()
})
