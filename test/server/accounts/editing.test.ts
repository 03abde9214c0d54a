/** Changes to accounts, where the own password is compared first and a new one hashed. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Editing } from '#server/accounts/editing.ts'
import { Newcomers } from '#server/accounts/newcomers.ts'
import { loadConfig } from '#server/config/load.ts'
import type { StoredUser } from '#server/db/users.ts'
import { type Office, openOffice } from '#server/office.ts'
import { Fault } from '#wire/fault.ts'
import { temporaryFolder } from '../../support/tree.ts'

const PASSWORD = 'correct horse battery'
const CALLER = { address: '192.0.2.1', agent: 'test' }

let folder: ReturnType<typeof temporaryFolder>
let office: Office
let editing: Editing
let boss: StoredUser
let other: StoredUser
beforeEach(async () => {
  folder = temporaryFolder()
  office = openOffice(loadConfig({ flags: { database: join(folder.path, 'f.db') }, env: {} }), {})
  const homes = { make: async () => undefined, isFree: async () => true }
  const newcomers = new Newcomers(office.users, office.settings, homes)
  editing = new Editing(office.users, office.settings, newcomers, office.throttle, true)
  const { perm } = office.users.blank()
  boss = await office.users.create('boss', PASSWORD, { perm: { ...perm, admin: true } })
  other = await office.users.create('other', PASSWORD, { perm: { ...perm, admin: true } })
})
afterEach(() => {
  office.close()
  folder.remove()
})

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
const proof = (present: () => StoredUser | undefined) => ({
  password: PASSWORD,
  address: CALLER.address,
  present,
})

test('whoever lost session or rights while the own password was compared changes nothing', async () => {
  const perm = { ...boss.perm, admin: false }
  const lost: [string, () => StoredUser | undefined][] = [
    ['unauthenticated', () => undefined],
    ['forbidden', () => ({ ...boss, perm })],
  ]
  for (const [fault, present] of lost) {
    const edit = (data: object) => ({ which: [], data, proof: proof(present) })
    const verbs = {
      create: () => editing.create(boss, edit({ username: 'ghost', password: PASSWORD })),
      update: () => editing.update(boss, other.id, edit({ scope: '/elsewhere' })),
      password: () => editing.update(boss, other.id, edit({ password: 'another long password' })),
      remove: () => editing.remove(boss, other.id, proof(present)),
    }
    for (const [verb, run] of Object.entries(verbs)) {
      expect([verb, await code(run())]).toEqual([verb, fault])
    }
  }
  expect(office.users.list()).toEqual([boss, other])
})

test('a sign-in that was being compared when the password changed opens no session', async () => {
  await office.users.updateWithPassword(other.id, {}, 'another long password')
  expect(await code(office.sessions.open(other, CALLER))).toBe('wrongCredentials')
  office.users.remove(other.id)
  expect(await code(office.sessions.open(other, CALLER))).toBe('wrongCredentials')
  expect(office.sessions.list()).toEqual([])
})
