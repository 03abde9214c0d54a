/** Accounts that change while a password is compared or hashed. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Confirmations } from '#server/accounts/users/confirmations.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { UserAdmin } from '#server/accounts/users/user-admin.ts'
import { loadConfig } from '#server/config/load.ts'
import { type Core, openCore } from '#server/core.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { confirmationBy, NO_DIRECTORIES } from '../../../support/server/confirmation.ts'

const PASSWORD = 'correct horse battery'
const CALLER = { address: '192.0.2.1', agent: 'test' }

let folder: ReturnType<typeof temporaryFolder>
let core: Core
let userAdmin: UserAdmin
let boss: StoredUser
let other: StoredUser
beforeEach(async () => {
  folder = temporaryFolder()
  core = await openCore(loadConfig({ flags: { database: join(folder.path, 'f.db') }, env: {} }))
  const homes = { make: async () => undefined, isFree: async () => true }
  const provisioning = new Provisioning(core.users, core.settings, homes)
  userAdmin = new UserAdmin(
    core.users,
    core.settings,
    provisioning,
    new Confirmations({ ...core, directorySignIn: NO_DIRECTORIES }, true),
    core.invitations,
  )
  const { perm } = core.users.defaults()
  boss = await core.users.create('boss', PASSWORD, { perm: { ...perm, admin: true } })
  other = await core.users.create('other', PASSWORD, { perm: { ...perm, admin: true } })
})
afterEach(async () => {
  await core.close()
  folder.remove()
})

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
const confirmation = (findCurrentUser: () => Promise<StoredUser | undefined>) => ({
  ...confirmationBy(core, boss, PASSWORD),
  findCurrentUser,
})

test('a user who loses session or rights while the current password is compared changes nothing', async () => {
  const perm = { ...boss.perm, admin: false }
  const lost: [string, StoredUser | undefined][] = [
    ['unauthenticated', undefined],
    ['forbidden', { ...boss, perm }],
  ]
  let current: StoredUser | undefined
  const findCurrentUser = async () => current
  for (const [fault, later] of lost) {
    const edit = (data: object) => ({
      which: [],
      data,
      confirmation: confirmation(findCurrentUser),
    })
    const operations = {
      create: () => userAdmin.create(boss, edit({ username: 'ghost', password: PASSWORD })),
      update: () => userAdmin.update(boss, other.id, edit({ scope: '/elsewhere' })),
      password: () => userAdmin.update(boss, other.id, edit({ password: 'another long password' })),
      invite: () => userAdmin.invite(boss, { username: 'ghost' }, findCurrentUser),
    }
    for (const [operation, run] of Object.entries(operations)) {
      current = boss
      const running = run()
      // The comparison is in another thread and has not ended.
      current = later
      expect([operation, await code(running)]).toEqual([operation, fault])
    }
  }
  expect(await core.users.list()).toEqual([boss, other])
})

test('no session is opened for a user whose password has changed, or who was removed, since the comparison', async () => {
  await core.users.updateWithPassword(other.id, {}, 'another long password')
  expect(await code(core.sessions.open(other, CALLER))).toBe('wrongCredentials')
  await core.users.remove(other.id)
  expect(await code(core.sessions.open(other, CALLER))).toBe('wrongCredentials')
  expect(await core.sessions.list()).toEqual([])
})

test('a missing current password is refused, and is no guess', async () => {
  const create = (password: string, username = 'new') =>
    code(
      userAdmin.create(boss, {
        which: [],
        data: { username, password: PASSWORD },
        confirmation: { ...confirmation(async () => boss), password },
      }),
    )
  for (let turn = 0; turn < 20; turn += 1) expect(await create('')).toBe('badRequest')
  expect(await create(PASSWORD)).toBe('no fault')
  for (let turn = 0; turn < 8; turn += 1) expect(await create('wrong')).toBe('badRequest')
  expect(await create(PASSWORD, 'another')).toBe('tooMany')
})
