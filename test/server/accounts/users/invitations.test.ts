/** Invitations without a server: how long they last, how many there may be, and for which sign-in method. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { InvitationAccess } from '#server/accounts/sign-in/invitation-access.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault } from '#wire/fault.ts'
import { DAY_MS } from '#wire/units.ts'
import { CHEAP, type TestCore, temporaryCore } from '../../../support/server/test-core.ts'

let core: TestCore
let hash: string
beforeEach(async () => {
  core = await temporaryCore()
  hash = await Bun.password.hash('right', CHEAP)
  await core.users.createHashed('anna', hash)
})
afterEach(async () => {
  setSystemTime()
  await core.close()
})

const codeOf = async (work: () => Promise<unknown>) => {
  try {
    await work()
    return 'no fault'
  } catch (error) {
    return error instanceof Fault ? error.code : error
  }
}

test('an expired invitation can neither be read nor accepted @spec-7.37', async () => {
  const { token } = await core.invitations.make(1, 2)
  const start = Date.now()
  setSystemTime(start + 2 * DAY_MS - 1000)
  expect((await core.invitations.find(token))?.username).toBe('anna')
  setSystemTime(start + 2 * DAY_MS + 1000)
  expect(await core.invitations.find(token)).toBeUndefined()
  expect(await core.invitations.accept(token, hash)).toBeUndefined()
  expect(await core.invitations.list()).toEqual([])
})

test('an invitation is refused for an invalid number of days, and for a user who does not exist', async () => {
  for (const days of [0, -1, 1.5, Number.NaN, SERVER_LIMITS.invitationDaysMax + 1]) {
    expect(await codeOf(() => core.invitations.make(1, days))).toBe('badRequest')
  }
  expect(await codeOf(() => core.invitations.make(2))).toBe('notFound')
})

test('the server refuses a new invitation at the limit, replaces an open one, and accepts a new one after a withdrawal @limit-83', async () => {
  await core.atomically(async () => {
    for (let more = 0; more < SERVER_LIMITS.invitationsMax; more += 1) {
      const { id } = await core.users.createHashed(`user ${more}`, hash)
      await core.invitations.make(id)
    }
  })
  expect(await codeOf(() => core.invitations.make(1))).toBe('tooMany')
  expect(await codeOf(() => core.invitations.make(2))).toBe('no fault')
  await core.invitations.withdraw(2)
  expect(await codeOf(() => core.invitations.make(1))).toBe('no fault')
})

test('the server refuses and hides invitations if another method than its passwords signs users in', async () => {
  const homes = { make: async () => undefined, isFree: async () => true }
  const provisioning = new Provisioning(core.users, core.settings, homes)
  const invited = new InvitationAccess({ ...core, provisioning }, 'proxy')
  expect(await codeOf(async () => invited.requireEnabled())).toBe('methodNotAllowed')
  const { token } = await core.invitations.make(1)
  const code = await invited.show(token, '192.0.2.1').then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )
  expect(code).toBe('notFound')
})
