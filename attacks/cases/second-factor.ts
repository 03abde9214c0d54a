/** The second factor of a sign-in. */
import { TOTP } from 'otpauth'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'

const CURRENT = { current_password: FIXTURE_PASSWORD }
const FACTOR = '/api/second-factor'

export const secondFactorCases: AttackCase[] = [
  {
    id: 'G-222',
    attack: 'signing in with the password alone, or with a code that was used',
    reason:
      'a right password gives only a ticket, and a code uses its time step up in one statement',
    advisories: ['CVE-2026-44460', 'FileRise 3.22 (a code used twice)', 'Sync-in#258'],
    async run(fixture) {
      const { code } = await turnOn(fixture, 'twofold')
      const ticket = await ticketOf(fixture, 'twofold')
      for (const [method, target] of [
        ['GET', '/api/resources/'],
        ['POST', '/api/renew'],
        ['GET', FACTOR],
      ] as const) {
        const response = await fixture.raw('', method, target, '', { 'X-Auth': ticket })
        refused(response, `${method} ${target} with a ticket`, 401)
      }
      const enrolled = await fixture.call('', 'POST', '/api/login/enrol', { ticket })
      refused(enrolled, 'the set-up of another factor with a ticket', 404)
      const basic = Buffer.from(`twofold:${FIXTURE_PASSWORD}`).toString('base64')
      for (const target of ['/api/resources/', '/api/raw/own.txt']) {
        const headers = { Authorization: `Basic ${basic}` }
        const response = await fixture.raw('', 'GET', target, '', headers)
        refused(response, `${target} with the password of the account`, 401)
      }
      const send = (text: string) =>
        fixture.call('', 'POST', '/api/login/code', { ticket, code: text })
      refused(await send('000000'), 'a wrong code', 403)
      const answers = await Promise.all([send(code), send(code)])
      const accepted = answers.filter(({ status }) => status === 200).length
      assert(accepted === 1, `one code was accepted ${accepted} times`)
      refused(await send(code), 'a code that was used', 403)
    },
  },
  {
    id: 'G-223',
    attack:
      'replacing, reading or removing the second factor with a stolen session and the password',
    reason: 'each change of it needs a code that the session has sent a short time ago',
    advisories: ['FileBrowser Quantum 2.0.9 (a second factor replaced with the password)'],
    async run(fixture) {
      const { secret, stolen } = await turnOn(fixture, 'robbed')
      const send = (method: string, target: string, body?: object) =>
        fixture.raw('', method, target, body === undefined ? '' : JSON.stringify(body), {
          'X-Auth': stolen,
        })
      const state = works(await send('GET', FACTOR), 'the state of the factor')
      assert(!state.text.includes(secret), 'the secret can be read again')
      const body = { ...CURRENT, name: 'x', permissions: ['download'] }
      for (const [method, target] of [
        ['POST', FACTOR],
        ['POST', `${FACTOR}/recovery-codes`],
        ['DELETE', FACTOR],
        ['POST', '/api/app-passwords'],
      ] as const) {
        refused(await send(method, target, body), `${method} ${target}`, 400)
      }
      await ticketOf(fixture, 'robbed')
    },
  },
]

/**
 * Creates a user with a second factor.
 *
 * @returns its secret, a code that was not used, and the token of a session in which no code was sent
 */
async function turnOn(
  fixture: Fixture,
  username: string,
): Promise<{ secret: string; code: string; stolen: string }> {
  works(await fixture.addUser(username, { scope: '/alice' }), 'a new user', 201)
  const stolen = works(await fixture.signIn(username), 'a session').text
  fixture.tokens[username] = works(await fixture.signIn(username), 'another session').text
  const draft = await fixture.call(username, 'POST', FACTOR, CURRENT)
  const { secret } = JSON.parse(works(draft, 'a new secret').text)
  const codeOf = (ageS: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() - ageS * 1000 })
  const code = codeOf(0)
  const confirmed = await fixture.call(username, 'POST', `${FACTOR}/confirm`, { code: codeOf(30) })
  works(confirmed, 'the second factor')
  return { secret, code, stolen }
}

/** Signs in with the password. @returns the ticket */
async function ticketOf(fixture: Fixture, username: string): Promise<string> {
  const response = await fixture.signIn(username)
  refused(response, 'the password alone', 401)
  assert(!response.headers.has('set-cookie'), 'the password alone sets a cookie')
  return JSON.parse(response.text).ticket
}
