import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { outcome } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const guess = (username: string, password = 'wrong', headers: Record<string, string> = {}) =>
  app.anonymous.call('POST', API.login, { username, password }, headers)

test('after guesses a client must wait for a stated time, also with the correct password', async () => {
  const answers: Response[] = []
  for (let turn = 0; turn < 50; turn += 1) answers.push(await guess('anna'))
  const refused = answers.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answers.slice(0, 8).map(({ status }) => status)).toEqual(Array(8).fill(403))
  expect(await outcome(guess('anna', PASSWORD))).toBe('429 tooMany')
})

test('a header that names another address changes nothing', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      guess('somebody', 'wrong', { 'X-Forwarded-For': `203.0.113.${at}` }),
    ),
  )
  expect(answers.map(({ status }) => status)).toContain(429)
})

test('open sessions continue, and a user with a session may sign in again', async () => {
  expect(await outcome(app.anna.call('GET', `${API.resources}/`))).toBe('200')
  for (let turn = 0; turn < 30; turn += 1) await guess(`somebody else ${turn}`)
  expect(await outcome(guess('bob', PASSWORD))).toBe('429 tooMany')
  const carl = { 'X-Auth': app.admin.token }
  expect(await outcome(guess('admin', app.server.password, carl))).toBe('200')
})

test('the log asks for a missing proxy if the only address of all clients is blocked', async () => {
  await app.server.says(
    /Failed sign-ins from 127\.0\.0\.1 slow down further ones\. All clients seem to come from this one address: is a proxy missing in --trusted-proxies\?/,
  )
})

test('a link’s password is guessed as slowly', async () => {
  writeFileSync(join(app.root, 'anna', 'shared.txt'), 'SHARED')
  const made = await app.anna.call('POST', `${API.share}/shared.txt`, { password: 'open sesame' })
  const { hash } = (await made.json()) as Share
  const visit = (password: string) =>
    app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
      'X-SHARE-PASSWORD': password,
    })
  const seen = new Set<string>()
  for (let turn = 0; turn < 50; turn += 1) seen.add(await outcome(visit('wrong')))
  expect([...seen]).toContain('429 tooMany')
  expect(await outcome(visit('open sesame'))).toBe('429 tooMany')
})

test('many guesses at a link at once are compared as few times', async () => {
  const made = await app.anna.call('POST', `${API.share}/shared.txt`, { password: 'open sesame' })
  const { hash } = (await made.json()) as Share
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, turn) =>
      outcome(
        app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
          'X-SHARE-PASSWORD': `guess ${turn}`,
        }),
      ),
    ),
  )
  expect(answers.filter((one) => one === '401 unauthenticated').length).toBeLessThanOrEqual(8)
  expect(answers).toContain('429 tooMany')
})

describe('behind a proxy that says where people come from', () => {
  let other: TestApp
  beforeAll(async () => {
    other = await openTestApp({ args: ['--trusted-proxies', '127.0.0.1'] })
  })
  afterAll(() => other.stop())
  const enter = (address: string, username: string, password: string) =>
    outcome(
      other.anonymous.call(
        'POST',
        API.login,
        { username, password },
        { 'X-Forwarded-For': address },
      ),
    )

  test('no more of many guesses at once are compared than of guesses one after the other', async () => {
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => enter('192.0.2.1', 'anna', 'wrong')),
    )
    expect(answers.filter((one) => one === '403 wrongCredentials')).toHaveLength(8)
    expect(await enter('192.0.2.1', 'anna', PASSWORD)).toBe('429 tooMany')
    expect(await enter('192.0.2.2', 'anna', PASSWORD)).toBe('200')
  })

  test('a flood of guesses from many addresses does not lock out known addresses', async () => {
    const { password } = other.server
    const admin = (address: string, answer = password) => enter(address, 'admin', answer)
    expect(await admin('198.51.100.7')).toBe('200')
    for (let number = 1; number <= 70; number += 1) await admin(`203.0.113.${number}`, 'wrong')
    expect(await admin('203.0.113.200')).toBe('429 tooMany')
    expect(await admin('198.51.100.7')).toBe('200')
    // Local clients are not locked out either.
    expect(await admin('127.0.0.1')).toBe('200')
  })
})
