/** Sign-up: when it is refused, and which rights and home folder a new user gets. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { SignUp } from '#server/accounts/sign-in/sign-up.ts'
import { homeFolder, isSameScope } from '#server/accounts/users/home.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { Fault } from '#wire/fault.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'

const PASSWORD = 'correct horse battery'
const HERE = '192.0.2.1'

let core: TestCore
let signUp: SignUp
/** Path of a folder in the served tree → whether it contains anything. */
let folders: Map<string, boolean>
let diskIsFull: boolean
beforeEach(async () => {
  core = await temporaryCore()
  folders = new Map()
  diskIsFull = false
  const homes = {
    async make(path: string) {
      if (diskIsFull) throw new Fault('noSpace', 'full')
      folders.set(path, false)
    },
    isFree: async (path: string) => folders.get(path) !== true,
  }
  signUp = new SignUp(core.settings, new Provisioning(core.users, core.settings, homes))
  const hash = await Bun.password.hash('right', CHEAP)
  await core.users.createHashed('admin', hash, {
    perm: permissionsOf('admin'),
    scope: '/users/taken',
  })
  await set({ signup: true, createUserDir: true, userHomeBasePath: '/users' })
})
afterEach(() => core.close())

const set = (changes: object) => core.settings.put({ ...core.settings.get(), ...changes })
const make = (username: string, password = PASSWORD, address = HERE) =>
  signUp.create(username, password, address).then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )

test('sign-up is refused if it is off, or if new users would see the whole tree', async () => {
  await set({ createUserDir: false })
  expect(await make('bob')).toBe('badRequest')
  await set({ signup: false, createUserDir: true })
  expect(await make('bob')).toBe('methodNotAllowed')
  expect(() => signUp.requireEnabled()).toThrow('405')
  expect(await core.users.count()).toBe(1)
})

test('sign-up needs a user name and a strong password', async () => {
  // Clients read this message.
  await expect(signUp.create('  ', PASSWORD, HERE)).rejects.toThrow('The user name is empty.')
  for (const weak of ['', 'short', 'passwordpassword'.slice(0, 8), 'aaaaaaaaaaaaaaa']) {
    expect(await make('bob', weak)).toBe('badRequest')
  }
  expect(await core.users.count()).toBe(1)
})

test('sign-up never gives the rights admin and execute, whatever the defaults are', async () => {
  const { defaults } = core.settings.get()
  await set({ defaults: { ...defaults, perm: permissionsOf('admin'), commands: ['sh'] } })
  expect(await make('bob')).toBe('no fault')
  const bob = await core.users.getByNameOrId('bob')
  expect(bob).toMatchObject({ scope: '/users/bob', commands: [] })
  expect(bob.perm).toMatchObject({ admin: false, execute: false, create: true })
})

test('sign-up never gives the home folder of another user, whether it is empty, full or without its owner', async () => {
  folders.set('/users/left', true)
  for (const name of ['taken', 'TAKEN', 'left']) expect(await make(name)).toBe('conflict')
  folders.set('/users/empty', false)
  expect(await make('empty')).toBe('no fault')
})

test('sign-up creates no account if its home folder cannot be created', async () => {
  diskIsFull = true
  expect(await make('bob')).toBe('noSpace')
  expect(await core.users.findByName('bob')).toBeUndefined()
})

test('sign-up counts the accounts of an IPv6 network together', async () => {
  for (let number = 0; number < 10; number += 1) {
    expect(await make(`bob${number}`, PASSWORD, `2001:db8::${number}`)).toBe('no fault')
  }
  expect(await make('bob10', PASSWORD, '2001:db8::ff')).toBe('tooMany')
}, 60_000)

test('a home folder has a safe name below the folder of home folders', () => {
  const home = (name: string): string => homeFolder('/users', name)
  expect(home('anna')).toBe('/users/anna')
  expect(home('../../etc/passwd')).toBe('/users/-etc-passwd')
  expect(home('a/b\\c\0d e')).toBe('/users/a-b-c-d-e')
  expect(home('....x')).toBe('/users/x')
  for (const name of ['', ' ', '.', '..', '/', '....', '../..']) {
    expect(() => home(name)).toThrow('No folder can have this user name')
  }
  expect(isSameScope('/users/anna', '//users/Anna/')).toBe(true)
  expect(isSameScope('/users/anna', '/users/anna2')).toBe(false)
})
