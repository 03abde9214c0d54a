/** A second factor: one-time codes of an authenticator app, and recovery codes. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { API } from '#wire/api/routes.ts'
import type { RecoveryCodes, SecondFactor, SecondFactorDraft } from '#wire/api/second-factor.ts'
import { type Client, clientWith, outcomeWithReason as outcome } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { changeDatabase, forgetCodes, idOf } from '../support/server/stored.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const PERIOD_MS = 30_000
const CURRENT = { current_password: PASSWORD }

let app: TestApp
/** The confirmation of the administrator. */
let byAdmin: { current_password: string }
/** A user of each test, with a session. */
let user: Client
let username: string
let id: number
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  byAdmin = { current_password: app.server.password }
})
afterAll(() => app.stop())
beforeEach(async () => {
  count += 1
  username = `user${count}`
  user = await app.person(username)
  id = await idOf(app, username)
})

/** A code of the time step that is so many steps from now: each step is accepted once. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * PERIOD_MS })
}

async function draft(who = user): Promise<SecondFactorDraft> {
  const answer = await who.call('POST', API.secondFactor, CURRENT)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return (await answer.json()) as SecondFactorDraft
}

/** Codes of a second factor in use, as the app shows them now. */
interface Codes {
  secret: string
  code: string
  /** Of the time steps before and after that. */
  previous: string
  next: string
  recovery: string[]
}

/** Puts a second factor into use. None of the codes is used up. */
async function turnOn(who = user): Promise<Codes> {
  const { secret } = await draft(who)
  const code = codeOf(secret)
  const [previous, next] = [codeOf(secret, -1), codeOf(secret, 1)]
  const answer = await who.call('POST', `${API.secondFactor}/confirm`, { code })
  expect(answer.status).toBe(200)
  const { codes } = (await answer.json()) as RecoveryCodes
  changeDatabase(app, 'UPDATE second_factors SET last_step = 0')
  return { secret, code, previous, next, recovery: codes }
}

async function statusOf(who: Client): Promise<SecondFactor> {
  return (await (await who.call('GET', API.secondFactor)).json()) as SecondFactor
}

const withPassword = (name = username) =>
  app.anonymous.call('POST', API.login, { username: name, password: PASSWORD })
const withCode = (ticket: string, code: string) =>
  app.anonymous.call('POST', API.loginCode, { ticket, code })

async function ticket(): Promise<string> {
  const answer = await withPassword()
  expect([answer.status, answer.headers.get('x-fault')]).toEqual([
    401,
    'unauthenticated; reason=codeNeeded',
  ])
  expect(answer.headers.has('set-cookie')).toBe(false)
  return ((await answer.json()) as { ticket: string }).ticket
}

test('a sign-in needs a code after the password, and each code is accepted once', async () => {
  const { code, previous, next } = await turnOn()
  const first = await withCode(await ticket(), code)
  expect(first.status).toBe(200)
  expect(first.headers.get('set-cookie')).toContain('auth=')
  const opened = clientWith(app.url, await first.text())
  expect(await outcome(opened.call('GET', `${API.resources}/`))).toBe('200')
  expect(await outcome(withCode(await ticket(), code))).toBe(
    '403 wrongCredentials; reason=codeWrong',
  )
  // An earlier step than the last one is refused too.
  expect(await outcome(withCode(await ticket(), previous))).toBe(
    '403 wrongCredentials; reason=codeWrong',
  )
  expect(await outcome(withCode(await ticket(), next))).toBe('200')
})

test('a ticket is no token, ends with the password, and cannot be made by a client', async () => {
  const { code } = await turnOn()
  const its = await ticket()
  for (const path of [`${API.resources}/`, API.secondFactor, API.sessions]) {
    expect(await outcome(clientWith(app.url, its).call('GET', path))).toBe('401 unauthenticated')
  }
  expect(await outcome(clientWith(app.url, its).call('POST', API.renew))).toBe(
    '401 unauthenticated',
  )
  const token = user.token
  for (const forged of ['', 'x', token, `${its}x`]) {
    expect(await outcome(withCode(forged, code))).toBe('404 expired; reason=signInExpired')
  }
  const changed = await user.call('PUT', `${API.users}/${id}`, {
    what: 'user',
    which: ['password'],
    data: { password: 'another long sentence of words' },
    ...CURRENT,
  })
  expect(changed.status).toBe(200)
  expect(await outcome(withCode(its, code))).toBe('404 expired; reason=signInExpired')
})

test('a recovery code stands for a code once, as a person types it', async () => {
  const { recovery } = await turnOn()
  expect(recovery).toHaveLength(10)
  const [first = '', second = ''] = recovery
  expect(await outcome(withCode(await ticket(), ` ${first.toUpperCase().replace('-', '')} `))).toBe(
    '200',
  )
  expect(await outcome(withCode(await ticket(), first))).toBe(
    '403 wrongCredentials; reason=codeWrong',
  )
  expect((await statusOf(user)).recoveryCodes).toBe(9)
  const renewed = await user.call('POST', `${API.secondFactor}/recovery-codes`, CURRENT)
  expect(((await renewed.json()) as RecoveryCodes).codes).toHaveLength(10)
  expect(await outcome(withCode(await ticket(), second))).toBe(
    '403 wrongCredentials; reason=codeWrong',
  )
})

test('wrong codes slow down further ones, and the right password does not reset the counter', async () => {
  await turnOn()
  let answer = ''
  for (let guess = 0; guess < 100 && !answer.startsWith('429'); guess += 1) {
    const login = await withPassword()
    if (login.status === 429) {
      answer = '429'
      break
    }
    const { ticket: its } = (await login.json()) as { ticket: string }
    answer = await outcome(withCode(its, '000000'))
  }
  expect(answer).toStartWith('429')
})

test('a secret is not in use before a code of it was sent', async () => {
  const { secret, uri } = await draft()
  expect(uri).toBe(
    `otpauth://totp/filemgr:${username}%40${new URL(app.url).hostname}?issuer=filemgr&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  expect(await outcome(withPassword())).toBe('200')
  const confirm = (code: string) => user.call('POST', `${API.secondFactor}/confirm`, { code })
  expect(await outcome(confirm('000000'))).toBe('400 badRequest; reason=codeWrong')
  expect(await statusOf(user)).toEqual({
    since: '',
    recoveryCodes: 0,
    passkeyHosts: [],
    requiredFrom: '',
  })
  // Apps show the code with a space.
  const code = codeOf(secret).replace(/^(...)/, '$1 ')
  const arabic = code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  expect(await outcome(confirm(arabic))).toBe('200')
  expect(await outcome(confirm(code))).toBe('404 expired; reason=draftExpired')
  expect(await outcome(withPassword())).toStartWith('401')
})

test('a session without a code cannot replace or remove the factor, nor read the secret again', async () => {
  const { secret, code, next } = await turnOn()
  const other = await withCode(await ticket(), code)
  const session = clientWith(app.url, await other.text())
  forgetCodes(app)
  const changes: [string, string][] = [
    ['POST', API.secondFactor],
    ['POST', `${API.secondFactor}/recovery-codes`],
    ['DELETE', API.secondFactor],
  ]
  for (const [method, path] of changes) {
    expect(await outcome(session.call(method, path, CURRENT))).toBe(
      '400 badRequest; reason=codeNeeded',
    )
  }
  const verify = (code: string, current_password = PASSWORD) =>
    outcome(session.call('POST', `${API.secondFactor}/verify`, { current_password, code }))
  expect(await verify('000000')).toBe('400 badRequest; reason=codeWrong')
  expect(await verify(next, 'wrong')).toBe('400 badRequest; reason=currentPasswordWrong')
  expect(await verify('00000-00000')).toBe('400 badRequest; reason=codeWrong')
  expect(await statusOf(session)).toMatchObject({ recoveryCodes: 10 })
  expect(JSON.stringify(await statusOf(session))).not.toContain(secret)
})

test('a code confirms the changes of the next minutes in this session', async () => {
  const { code } = await turnOn()
  forgetCodes(app)
  const add = () =>
    outcome(
      user.call('POST', API.appPasswords, { name: 'x', permissions: ['download'], ...CURRENT }),
    )
  expect(await add()).toBe('400 badRequest; reason=codeNeeded')
  const verified = await user.call('POST', `${API.secondFactor}/verify`, { ...CURRENT, code })
  expect(verified.status).toBe(200)
  expect(await add()).toBe('201')
  expect(await add()).toBe('201')
  expect(await outcome(user.call('DELETE', API.secondFactor, CURRENT))).toBe('200')
  expect(await statusOf(user)).toEqual({
    since: '',
    recoveryCodes: 0,
    passkeyHosts: [],
    requiredFrom: '',
  })
  expect(await outcome(withPassword())).toBe('200')
})

test('a new password of one’s own replaces the session, which needs no further code', async () => {
  const { code } = await turnOn()
  const its = await ticket()
  const password = 'another long sentence of words'
  const changed = await user.call('PUT', `${API.users}/${id}`, {
    what: 'user',
    which: ['password'],
    data: { password },
    ...CURRENT,
  })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('set-cookie')).toContain('auth=')
  expect(await outcome(user.call('GET', API.secondFactor))).toBe('401 unauthenticated')
  const next = clientWith(app.url, changed.headers.get('x-auth') ?? '')
  const renewed = next.call('POST', `${API.secondFactor}/recovery-codes`, {
    current_password: password,
  })
  expect(await outcome(renewed)).toBe('200')
  expect(await outcome(withCode(its, code))).toBe('404 expired; reason=signInExpired')
})

test('an administrator removes the factor of a user, and ends the sessions', async () => {
  await turnOn()
  const listed = await (await app.admin.call('GET', `${API.secondFactor}/users`)).json()
  expect(listed).toContainEqual({ userID: id, since: expect.any(String), passkeys: 0 })
  const path = `${API.secondFactor}/users/${id}`
  expect(await outcome(app.anna.call('DELETE', path, CURRENT))).toBe(
    '403 forbidden; reason=rightMissing',
  )
  expect(await outcome(app.admin.call('DELETE', path, { current_password: 'wrong' }))).toBe(
    '400 badRequest; reason=currentPasswordWrong',
  )
  expect(await outcome(app.admin.call('DELETE', path, byAdmin))).toBe('200')
  expect(await outcome(user.call('GET', API.secondFactor))).toBe('401 unauthenticated')
  expect(await outcome(withPassword())).toBe('200')
})

test('an invitation sets a password, and does not replace the factor', async () => {
  const { code } = await turnOn()
  const invited = await app.admin.call('POST', API.invitations, { userID: id, ...byAdmin })
  const { token } = (await invited.json()) as { token: string }
  const accepted = await app.anonymous.call('POST', API.acceptInvitation, {
    token,
    password: PASSWORD,
  })
  expect(accepted.status).toBe(401)
  expect(accepted.headers.has('set-cookie')).toBe(false)
  const { ticket: its } = (await accepted.json()) as { ticket: string }
  expect(await outcome(withCode(its, code))).toBe('200')
})
