/** Which users may change which accounts, and when they must confirm this with their password. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Throttle } from '#server/accounts/credentials/throttle.ts'
import { Confirmations } from '#server/accounts/users/confirmations.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { UserAdmin, type UserEdit } from '#server/accounts/users/user-admin.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Fault } from '#wire/fault.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { confirmationBy, NO_DIRECTORIES } from '../../support/server/confirmation.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../support/server/test-core.ts'

const RIGHT = 'correct horse battery'
const NEXT = 'another quite long one'
let core: TestCore
let userAdmin: UserAdmin
let made: string[]
let admin: StoredUser
let anna: StoredUser
let bob: StoredUser
beforeEach(async () => {
  core = await temporaryCore()
  made = []
  const homes = { make: async (path: string) => void made.push(path), isFree: async () => true }
  const provisioning = new Provisioning(core.users, core.settings, homes)
  userAdmin = new UserAdmin(
    core.users,
    core.settings,
    provisioning,
    new Confirmations({ ...core, throttle: new Throttle(), directorySignIn: NO_DIRECTORIES }, true),
    core.invitations,
  )
  const hash = await Bun.password.hash(RIGHT, CHEAP)
  const account = (name: string, ...perm: Permission[]) =>
    core.users.createHashed(name, hash, { scope: `/${name}`, perm: permissionsOf(...perm) })
  admin = await account('admin', 'admin')
  anna = await account('anna', 'create')
  bob = await account('bob', 'create')
})
afterEach(() => core.close())

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
const confirmationOf = (by: StoredUser, password = RIGHT) => confirmationBy(core, by, password)
const update = (
  by: StoredUser,
  target: StoredUser,
  which: string[],
  data: UserEdit['data'],
  password = RIGHT,
) =>
  code(userAdmin.update(by, target.id, { which, data, confirmation: confirmationOf(by, password) }))

/** Every field that only administrators may change, with a new value. */
const guarded = {
  username: 'root',
  scope: '/',
  lockPassword: true,
  perm: permissionsOf('create', 'delete'),
  commands: ['sh'],
  rules: [{ regex: false, allow: true, path: '/x', regexp: null }],
} satisfies UserEdit['data']

test('only administrators create users, and confirm this with their own password', async () => {
  const data = { username: 'carl', password: NEXT }
  const create = (by: StoredUser, password = RIGHT, which: string[] = []) =>
    code(userAdmin.create(by, { which, data, confirmation: confirmationOf(by, password) }))
  for (const answer of [RIGHT, 'wrong']) expect(await create(anna, answer)).toBe('forbidden')
  expect(await create(admin, 'wrong')).toBe('badRequest')
  expect(await create(admin, RIGHT, ['all'])).toBe('badRequest')
  expect(await core.users.count()).toBe(3)
  expect(await create(admin)).toBe('no fault')
  expect((await core.users.getByNameOrId('carl')).scope).toBe(core.users.defaults().scope)
  expect(made).toEqual(['/'])
})

test('with createUserDir, a new user without a scope gets a home folder', async () => {
  await core.settings.put({
    ...core.settings.get(),
    createUserDir: true,
    userHomeBasePath: '/homes',
  })
  const data = { username: 'carl', password: NEXT }
  const user = await userAdmin.create(admin, {
    which: [],
    data,
    confirmation: confirmationOf(admin),
  })
  expect([user.scope, made]).toEqual(['/homes/carl', ['/homes/carl']])
})

test('only administrators change or remove other users', async () => {
  const remove = (by: StoredUser) => code((async () => userAdmin.remove(by, bob.id))())
  expect(await update(anna, bob, ['locale'], { locale: 'de' })).toBe('forbidden')
  expect(await remove(anna)).toBe('forbidden')
  for (const answer of [RIGHT, 'wrong']) {
    expect(await update(anna, bob, ['password'], { password: NEXT }, answer)).toBe('forbidden')
  }
  expect(await core.users.get(bob.id)).toEqual(bob)
  expect(await update(admin, bob, ['locale'], { locale: 'de' }, '')).toBe('no fault')
  expect(await remove(admin)).toBe('no fault')
  expect(await core.users.find(bob.id)).toBeUndefined()
})

test('users can change only preferences of their own account, whatever other fields they send', async () => {
  for (const [name, value] of Object.entries(guarded)) {
    for (const which of [name, name.toUpperCase()]) {
      expect([which, await update(anna, anna, [which], { [name]: value })]).toEqual([
        which,
        'forbidden',
      ])
    }
  }
  for (const which of [['all'], ['ALL'], []]) {
    expect(await update(anna, anna, which, { locale: 'de' })).toBe('forbidden')
  }
  expect(await update(anna, anna, ['nonsense'], {})).toBe('badRequest')
  expect(await update(anna, anna, ['locale'], { id: bob.id, locale: 'de' })).toBe('badRequest')
  expect(await core.users.get(anna.id)).toEqual(anna)
  expect(await update(anna, anna, ['locale'], { ...guarded, locale: 'de' }, '')).toBe('no fault')
  expect(await core.users.get(anna.id)).toMatchObject({
    ...anna,
    locale: 'de',
    changedMs: expect.any(Number),
  })
})

test('administrators confirm changes of protected fields with their own password', async () => {
  for (const [name, value] of Object.entries(guarded)) {
    expect(await update(admin, bob, [name], { [name]: value }, 'wrong')).toBe('badRequest')
    expect(await update(admin, bob, [name], { [name]: value })).toBe('no fault')
  }
  expect(await core.users.get(bob.id)).toMatchObject(guarded)
})

test('changing a password needs the old one, and a locked password cannot be changed', async () => {
  const set = (password: string) => update(anna, anna, ['password'], { password: NEXT }, password)
  expect(await set('wrong')).toBe('badRequest')
  expect(await set('')).toBe('badRequest')
  expect(await set(RIGHT)).toBe('no fault')
  const locked = await core.users.update(bob.id, { lockPassword: true })
  expect(await update(locked, locked, ['password'], { password: NEXT })).toBe('forbidden')
  expect(await Bun.password.verify(RIGHT, (await core.users.get(bob.id)).passwordHash)).toBe(true)
})

test('without sign-in by password, no current password is required', async () => {
  const homes = { make: async () => undefined, isFree: async () => true }
  const provisioning = new Provisioning(core.users, core.settings, homes)
  const withoutPasswords = new UserAdmin(
    core.users,
    core.settings,
    provisioning,
    new Confirmations(
      { ...core, throttle: new Throttle(), directorySignIn: NO_DIRECTORIES },
      false,
    ),
    core.invitations,
  )
  expect(
    await code(
      withoutPasswords.update(admin, bob.id, {
        which: ['scope'],
        data: { scope: '/x' },
        confirmation: confirmationOf(admin, ''),
      }),
    ),
  ).toBe('no fault')
})
