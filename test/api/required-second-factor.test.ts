/** Administrators require a second factor, of themselves or of all users, from a day on. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { ROUTES } from '#server/http/app.ts'
import type { SessionRoute } from '#server/http/context/context.ts'
import { API } from '#wire/api/routes.ts'
import type { SecondFactor, SecondFactorDraft } from '#wire/api/second-factor.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { SoftPasskey } from '../../attacks/soft-passkey.ts'
import {
  anonymous,
  type Client,
  clientWith,
  outcomeWithReason as outcome,
} from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { changeDatabase } from '../support/server/stored.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const CURRENT = { current_password: PASSWORD }
const TODAY = '2026-01-01'
const DUE = '403 forbidden; reason=factorDue'
const ORIGIN = 'http://localhost:8080'

let app: TestApp
let user: Client
let username: string
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  await turnOn(app.admin, app.server.password)
})
afterAll(() => app.stop())
beforeEach(async () => {
  count += 1
  username = `user${count}`
  user = await app.person(username)
})
afterEach(() => require('none'))

test('from the day on, the password leads to a session that can only set up a factor', async () => {
  await require('all')
  const answer = await withPassword()
  expect([answer.status, answer.headers.get('x-fault'), answer.headers.has('set-cookie')]).toEqual([
    401,
    'unauthenticated; reason=factorDue',
    false,
  ])
  const { ticket } = (await answer.json()) as { ticket: string }
  const enrolled = await enrol(ticket)
  expect(enrolled.status).toBe(200)
  const opened = clientWith(app.url, await enrolled.text())
  expect(await outcome(opened.call('GET', `${API.resources}/`))).toBe(DUE)
  const { secret } = (await (
    await opened.call('POST', API.secondFactor, CURRENT)
  ).json()) as SecondFactorDraft
  const code = new TOTP({ secret }).generate()
  expect(await outcome(opened.call('POST', `${API.secondFactor}/confirm`, { code }))).toBe('200')
  expect(await outcome(opened.call('GET', `${API.resources}/`))).toBe('200')
  expect(await outcome(enrol(ticket))).toBe('404 expired; reason=signInExpired')
  expect(await outcome(withPassword())).toBe('401 unauthenticated; reason=codeNeeded')
})

test('a passkey is such a factor too', async () => {
  await require('all')
  const { ticket } = (await (await withPassword()).json()) as { ticket: string }
  const opened = clientWith(app.url, await (await enrol(ticket)).text())
  const headers = { origin: ORIGIN }
  const begun = await opened.call('POST', `${API.passkeys}/options`, CURRENT, headers)
  const { credential } = SoftPasskey.create(ORIGIN, (await begun.json()) as never)
  const body = { name: 'Phone', credential }
  expect(await outcome(opened.call('POST', API.passkeys, body, headers))).toBe('201')
  expect(await outcome(opened.call('GET', `${API.resources}/`))).toBe('200')
})

test('a due session can call exactly these routes', async () => {
  await require('all')
  const guarded = ROUTES.filter((route): route is SessionRoute => route.needs !== 'anyone')
  expect(
    guarded.filter(({ enrols }) => enrols).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([
    'POST /api/renew',
    'GET /api/renew',
    'POST /api/logout',
    'GET /api/second-factor',
    'POST /api/second-factor',
    'POST /api/second-factor/confirm',
    'GET /api/passkeys',
    'POST /api/passkeys/options',
    'POST /api/passkeys',
  ])
  for (const { method, path } of guarded.filter(({ enrols }) => !enrols)) {
    const target = path.replace(/:id\{[^}]*\}|:\w+/g, '1').replace('/*', '/x')
    const answer = await fetch(app.url + target, { method, headers: { 'X-Auth': user.token } })
    const reason = answer.headers.get('x-fault')
    expect(`${method} ${target} ${answer.status} ${reason}`).toBe(`${method} ${target} ${DUE}`)
  }
})

test('before the day nothing changes but what users are told', async () => {
  await require('all', '2099-01-01')
  expect(await outcome(withPassword())).toBe('200')
  expect(await outcome(user.call('GET', `${API.resources}/`))).toBe('200')
  const { requiredFrom } = (await (await user.call('GET', API.secondFactor)).json()) as SecondFactor
  expect(Date.parse(requiredFrom)).toBe(Date.parse('2099-01-01T00:00:00'))
})

test('it is possible for administrators only', async () => {
  const admin = await app.person(`admin${count}`, '--perm.admin')
  await require('administrators')
  expect(await outcome(withPassword())).toBe('200')
  expect(await outcome(user.call('GET', `${API.resources}/`))).toBe('200')
  expect(await outcome(admin.call('GET', API.users))).toBe(DUE)
})

test('app passwords go on working', async () => {
  const body = { name: 'x', permissions: ['download'], ...CURRENT }
  const made = await user.call('POST', API.appPasswords, body)
  const { password } = (await made.json()) as { password: string }
  await require('all')
  const program = clientWith(app.url, password)
  expect(await outcome(program.call('GET', `${API.resources}/`))).toBe('200')
})

test('without a day it begins in 14 days; a day is checked, and forgotten with the requirement', async () => {
  await require('all', '')
  const { secondFactorFrom } = await settings()
  const daysAway = (Date.parse(secondFactorFrom) - Date.now()) / 86_400_000
  expect(daysAway).toBeGreaterThan(12)
  expect(daysAway).toBeLessThan(15)
  const wrong = app.admin.call('PUT', API.settings, {
    secondFactorFor: 'all',
    secondFactorFrom: '2026-13-01',
  })
  expect(await outcome(wrong)).toStartWith('400')
  await require('none', '2099-01-01')
  expect((await settings()).secondFactorFrom).toBe('')
})

test('the command line requires it, ends it, and a reset user sets one up again', async () => {
  await app.runCommand('config', 'set', 'secondFactorFrom', TODAY)
  await app.runCommand('config', 'set', 'secondFactorFor', 'all')
  await app.runCommand('config', 'set', 'secondFactorFrom', TODAY)
  expect(await outcome(withPassword())).toBe('401 unauthenticated; reason=factorDue')
  await app.runCommand('config', 'set', 'secondFactorFor', 'none')
  await turnOn(user, PASSWORD)
  await require('all')
  await app.runCommand('users', 'reset-second-factor', username)
  expect(await outcome(withPassword())).toBe('401 unauthenticated; reason=factorDue')
})

test('a ticket of a user who must set one up is no session, and signs no one in with a code', async () => {
  await require('all')
  const { ticket } = (await (await withPassword()).json()) as { ticket: string }
  expect(await outcome(clientWith(app.url, ticket).call('GET', API.secondFactor))).toBe(
    '401 unauthenticated',
  )
  const withCode = anonymous(app.url).call('POST', API.loginCode, { ticket, code: '000000' })
  expect(await outcome(withCode)).toBe('404 expired; reason=signInExpired')
  await require('none')
  expect(await outcome(enrol(ticket))).toBe('404 expired; reason=signInExpired')
})

async function require(
  secondFactorFor: GlobalSettings['secondFactorFor'],
  secondFactorFrom = TODAY,
): Promise<void> {
  const changes = { secondFactorFor, secondFactorFrom }
  expect((await app.admin.call('PUT', API.settings, changes)).status).toBe(200)
}

async function settings(): Promise<GlobalSettings> {
  return (await (await app.admin.call('GET', API.settings)).json()) as GlobalSettings
}

/** Sets up one-time codes. */
async function turnOn(who: Client, password: string): Promise<void> {
  const draft = await who.call('POST', API.secondFactor, { current_password: password })
  const { secret } = (await draft.json()) as SecondFactorDraft
  const code = new TOTP({ secret }).generate()
  expect((await who.call('POST', `${API.secondFactor}/confirm`, { code })).status).toBe(200)
  changeDatabase(app, 'UPDATE second_factors SET last_step = 0')
}

const withPassword = () => app.anonymous.call('POST', API.login, { username, password: PASSWORD })
const enrol = (ticket: string) => app.anonymous.call('POST', API.loginEnrol, { ticket })
