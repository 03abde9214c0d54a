/** Users: which data is refused, who cannot be removed, and what ends sessions. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { exportUsers, readUsers } from '#server/accounts/users/import-export.ts'
import type { UserChanges } from '#server/accounts/users/user-changes.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Fault } from '#wire/fault.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'

const BCRYPT = { algorithm: 'bcrypt', cost: 4 } as const

let core: TestCore
let hash: string
let admin: StoredUser
let anna: StoredUser
beforeEach(async () => {
  core = await temporaryCore()
  hash = await Bun.password.hash('right', CHEAP)
  admin = await core.users.createHashed('admin', hash, { perm: permissionsOf('admin') })
  anna = await core.users.createHashed('anna', hash, {
    scope: '/anna',
    perm: permissionsOf('create'),
  })
})
afterEach(() => core.close())

const code = (work: () => Promise<unknown>) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'no fault',
      (error) => (error instanceof Fault ? error.code : error),
    )

test('passwords are checked for every caller', async () => {
  expect(await code(() => core.users.create('bob', 'short'))).toBe('badRequest')
  expect(await code(() => core.users.updateWithPassword(anna.id, {}, 'short'))).toBe('badRequest')
  expect(await code(() => core.users.createHashed('bob', 'plain'))).toBe('badRequest')
  expect(await core.users.list()).toEqual([admin, anna])
})

test('a user name has no surrounding blanks, a scope has no “..”, and rules compile', async () => {
  const bob = await core.users.createHashed(' bob ', hash, { scope: '../../etc/./x' })
  expect([bob.username, bob.scope]).toEqual(['bob', '/etc/x'])
  const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
  for (const changes of [{ rules }, { perm: permissionsOf('share') }]) {
    expect(await code(() => core.users.createHashed('carl', hash, changes))).toBe('badRequest')
    expect(await code(() => core.users.update(bob.id, changes))).toBe('badRequest')
  }
})

test('a home folder belongs to one user only, in any spelling', async () => {
  const make = (scope: string, requireUniqueScope: boolean) =>
    code(() => core.users.createHashed('bob', hash, { scope }, { requireUniqueScope }))
  for (const scope of ['/anna', '/ANNA', '//anna/'])
    expect(await make(scope, true)).toBe('conflict')
  expect(await make('/anna', false)).toBe('no fault')
})

test('one administrator always remains after changes, removals and imports', async () => {
  const mine = { id: 1, username: 'admin', passwordHash: hash, changes: {} }
  expect(await code(() => core.users.update(1, { perm: permissionsOf('create') }))).toBe(
    'forbidden',
  )
  expect(await code(() => core.users.remove(1))).toBe('forbidden')
  for (const options of [
    { overwrite: true, replace: false },
    { overwrite: false, replace: true },
  ]) {
    expect(await code(() => core.users.importUsers([mine], options))).toBe('badRequest')
  }
  expect(await core.users.list()).toEqual([admin, anna])
  await core.users.update(anna.id, { perm: permissionsOf('admin') })
  expect(await code(() => core.users.remove(1))).toBe('no fault')
})

describe('sessions', () => {
  const changes: UserChanges = {
    username: 'hanna',
    scope: '/elsewhere',
    perm: permissionsOf('delete'),
    commands: ['ls'],
    rules: [{ regex: false, allow: false, path: '/x', regexp: null }],
    lockPassword: true,
  }
  const client = { address: '192.0.2.1', agent: 'test' }
  const live = async () => (await core.sessions.list(anna.id)).length

  test.each(Object.entries(changes))('sessions end when %s changes', async (field, value) => {
    await core.sessions.open(anna, client)
    await core.users.update(anna.id, { [field]: value })
    expect(await live()).toBe(0)
  })

  test('sessions end when the password changes or the user is removed, and continue when a preference changes', async () => {
    await core.sessions.open(anna, client)
    await core.users.update(anna.id, { locale: 'de' })
    await core.users.updateChangedFields(anna, { perm: anna.perm })
    expect(await live()).toBe(1)
    await core.users.updateWithPassword(anna.id, {}, 'correct horse battery')
    expect(await live()).toBe(0)
    await core.sessions.open(await core.users.get(anna.id), client)
    await core.users.remove(anna.id)
    expect(await live()).toBe(0)
  })
})

test('the renewal of an old hash does not overwrite a password that has just changed', async () => {
  const bob = await core.users.createHashed('bob', await Bun.password.hash('right', BCRYPT))
  const next = await Bun.password.hash('next', CHEAP)
  const refreshing = await core.users.refreshHash(bob, 'right')
  await core.users.importUsers([{ id: bob.id, username: 'bob', passwordHash: next, changes: {} }], {
    overwrite: true,
    replace: false,
  })
  await refreshing
  expect((await core.users.get(bob.id)).passwordHash).toBe(next)
  await core.users.refreshHash(bob, 'right')
  expect((await core.users.get(bob.id)).passwordHash).toBe(next)
})

describe('a document of users', () => {
  const problemsOf = (document: unknown) => readUsers(document).problems.length

  test('an import of users is refused completely if one hash or value is invalid', async () => {
    const document = exportUsers(await core.users.list())
    expect(readUsers(document).users.map(({ username }) => username)).toEqual(['admin', 'anna'])
    expect(await code(async () => readUsers({}))).toBe('badRequest')
    for (const wrong of [
      { password: 'plain' },
      { username: 7 },
      { perm: 'all' },
      { rules: 'none' },
    ]) {
      expect(problemsOf([{ ...document[0] }, { ...document[1], ...wrong }])).toBe(1)
    }
  })

  test('an import of users replaces no user without --overwrite', async () => {
    const { users: again } = readUsers(exportUsers([anna]))
    expect(
      await code(() => core.users.importUsers(again, { overwrite: false, replace: false })),
    ).toBe('badRequest')
    const changed = again.map((user) => ({ ...user, username: 'hanna' }))
    await core.users.importUsers(changed, { overwrite: true, replace: false })
    expect((await core.users.get(anna.id)).username).toBe('hanna')
  })

  test('an import of users imports all users or none, and grants no right that the file does not name', async () => {
    const someone = { id: 0, username: 'carl', passwordHash: hash, changes: {} }
    const again = readUsers(exportUsers([anna]))
    const options = { overwrite: false, replace: false }
    expect(await code(() => core.users.importUsers([someone, ...again.users], options))).not.toBe(
      'no fault',
    )
    expect(await core.users.findByName('carl')).toBeUndefined()
    await core.users.importUsers([someone], options)
    expect(core.users.defaults().perm.create).toBe(true)
    expect(await core.users.getByNameOrId('carl')).toMatchObject({
      perm: permissionsOf(),
      commands: [],
    })
  })
})
