/** Who may change whom, and when the own password has to be said again. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Editing, type UserEdit } from '#server/accounts/editing.ts'
import { Newcomers } from '#server/accounts/newcomers.ts'
import { Throttle } from '#server/accounts/throttle.ts'
import type { StoredUser } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type OpenedOffice, temporaryOffice } from '../../support/people.ts'

const RIGHT = 'correct horse battery'
const NEXT = 'another quite long one'

let office: OpenedOffice
let editing: Editing
let made: string[]
let admin: StoredUser
let anna: StoredUser
let bob: StoredUser
beforeEach(async () => {
  office = temporaryOffice()
  made = []
  const homes = { make: async (path: string) => void made.push(path), isFree: async () => true }
  const newcomers = new Newcomers(office.users, office.settings, homes)
  editing = new Editing(office.users, office.settings, newcomers, new Throttle(), true)
  const hash = await Bun.password.hash(RIGHT, CHEAP)
  const person = (name: string, ...perm: Permission[]) =>
    office.users.createHashed(name, hash, { scope: `/${name}`, perm: permissionsOf(...perm) })
  admin = person('admin', 'admin')
  anna = person('anna', 'create')
  bob = person('bob', 'create')
})
afterEach(() => office.close())

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
const proof = (by: StoredUser, password = RIGHT) => ({
  password,
  address: '192.0.2.1',
  present: () => office.users.find(by.id),
})
const update = (
  by: StoredUser,
  whom: StoredUser,
  which: string[],
  data: UserEdit['data'],
  password = RIGHT,
) => code(editing.update(by, whom.id, { which, data, proof: proof(by, password) }))

/** Every field that only administrators set, with something new for it. */
const guarded = {
  username: 'root',
  scope: '/',
  lockPassword: true,
  perm: permissionsOf('create', 'delete'),
  commands: ['sh'],
  rules: [{ regex: false, allow: true, path: '/x', regexp: null }],
} satisfies UserEdit['data']

test('people are made by administrators, who say their own password', async () => {
  const data = { username: 'carl', password: NEXT }
  const create = (by: StoredUser, password = RIGHT, which: string[] = []) =>
    code(editing.create(by, { which, data, proof: proof(by, password) }))
  for (const said of [RIGHT, 'wrong']) expect(await create(anna, said)).toBe('forbidden')
  expect(await create(admin, 'wrong')).toBe('badRequest')
  expect(await create(admin, RIGHT, ['all'])).toBe('badRequest')
  expect(office.users.count()).toBe(3)
  expect(await create(admin)).toBe('no fault')
  expect(office.users.named('carl').scope).toBe(office.users.blank().scope)
  expect(made).toEqual(['/'])
})

test('where the settings say so, somebody new without a scope gets a folder', async () => {
  office.settings.put({ ...office.settings.get(), createUserDir: true, userHomeBasePath: '/homes' })
  const data = { username: 'carl', password: NEXT }
  const user = await editing.create(admin, { which: [], data, proof: proof(admin) })
  expect([user.scope, made]).toEqual(['/homes/carl', ['/homes/carl']])
})

test('nobody but administrators changes or removes others', async () => {
  expect(await update(anna, bob, ['locale'], { locale: 'de' })).toBe('forbidden')
  for (const said of [RIGHT, 'wrong']) {
    expect(await code(editing.remove(anna, bob.id, proof(anna, said)))).toBe('forbidden')
  }
  for (const said of [RIGHT, 'wrong']) {
    expect(await update(anna, bob, ['password'], { password: NEXT }, said)).toBe('forbidden')
  }
  expect(office.users.get(bob.id)).toEqual(bob)
  expect(await update(admin, bob, ['locale'], { locale: 'de' }, '')).toBe('no fault')
  expect(await code(editing.remove(admin, bob.id, proof(admin, 'wrong')))).toBe('badRequest')
  expect(await code(editing.remove(admin, bob.id, proof(admin)))).toBe('no fault')
  expect(office.users.find(bob.id)).toBeUndefined()
})

test('of their own fields people set preferences alone, whatever else is sent along', async () => {
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
  expect(office.users.get(anna.id)).toEqual(anna)
  expect(await update(anna, anna, ['locale'], { ...guarded, locale: 'de' }, '')).toBe('no fault')
  expect(office.users.get(anna.id)).toMatchObject({
    ...anna,
    locale: 'de',
    changedMs: expect.any(Number),
  })
})

test('administrators say their own password for each field that only they set', async () => {
  for (const [name, value] of Object.entries(guarded)) {
    expect(await update(admin, bob, [name], { [name]: value }, 'wrong')).toBe('badRequest')
    expect(await update(admin, bob, [name], { [name]: value })).toBe('no fault')
  }
  expect(office.users.get(bob.id)).toMatchObject(guarded)
})

test('a password is changed by saying the old one, and not where it is locked', async () => {
  const set = (password: string) => update(anna, anna, ['password'], { password: NEXT }, password)
  expect(await set('wrong')).toBe('badRequest')
  expect(await set('')).toBe('badRequest')
  expect(await set(RIGHT)).toBe('no fault')
  const locked = office.users.update(bob.id, { lockPassword: true })
  expect(await update(locked, locked, ['password'], { password: NEXT })).toBe('forbidden')
  expect(await Bun.password.verify(RIGHT, office.users.get(bob.id).passwordHash)).toBe(true)
})

test('where nobody signs in by a password, none is said again', async () => {
  const homes = { make: async () => undefined, isFree: async () => true }
  const newcomers = new Newcomers(office.users, office.settings, homes)
  const open = new Editing(office.users, office.settings, newcomers, new Throttle(), false)
  expect(
    await code(
      open.update(admin, bob.id, {
        which: ['scope'],
        data: { scope: '/x' },
        proof: proof(admin, ''),
      }),
    ),
  ).toBe('no fault')
})
