/** Sessions, sign-in, and requests from other sites. */

import { assert, hides, refused, untouched, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import type { RawResponse } from '../raw-request.ts'
import { withSignUp } from '../sign-up.ts'

const NO_COOKIE =
  'a cookie is accepted only for reading, and pages of other sites cannot send the header'

export const sessionCases: AttackCase[] = [
  {
    id: 'G-65',
    attack: 'forged tokens',
    reason:
      'a token needs one algorithm, a random key of 256 bits, an expiry, and a row in the database',
    advisories: ['FileBrowser Quantum 2.0.7 (forged tokens)'],
    async run(fixture) {
      const [head = '', body = '', signature = ''] = (fixture.tokens.alice ?? '').split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const signed = (payload: string, key: string) =>
        `${head}.${payload}.${new Bun.CryptoHasher('sha256', key).update(`${head}.${payload}`).digest('base64url')}`
      const admin = encode({ ...claims, user: { ...claims.user, id: 1, perm: { admin: true } } })
      for (const [description, token] of [
        ['alg none', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`],
        ['an empty key', signed(body, '')],
        ['a guessed key', signed(body, 'secret')],
        ['other claims', `${head}.${admin}.${signature}`],
        ['no end', signed(encode({ ...claims, exp: undefined }), 'secret')],
        ['no signature', `${head}.${body}.`],
      ] as const) {
        fixture.tokens.forged = token
        refused(await fixture.call('forged', 'GET', '/api/resources/'), description, 401)
      }
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'the real one')
    },
  },
  {
    id: 'G-66',
    attack: 'a token in the URL',
    reason: 'a token is read from the header and the cookie, never from the URL',
    async run(fixture) {
      for (const name of ['auth', 'token', 'X-Auth']) {
        const target = `/api/raw/own.txt?${name}=${fixture.tokens.alice}`
        refused(await fixture.call('', 'GET', target), target.slice(0, 24), 401)
      }
      works(await fixture.call('alice', 'GET', '/api/raw/own.txt'), 'the header')
    },
  },
  {
    id: 'G-67',
    attack: 'a change by another site with the cookie (CSRF)',
    reason: NO_COOKIE,
    async run(fixture) {
      const cookie = { Cookie: `auth=${fixture.tokens.alice}` }
      const admin = { Cookie: `auth=${fixture.tokens.admin}` }
      const user = {
        what: 'user',
        which: [],
        data: { username: 'made' },
        current_password: fixture.password,
      }
      refused(await fixture.call('', 'POST', '/api/users', user, admin), 'a user', 401)
      refused(
        await fixture.call('', 'PUT', '/api/settings', { signup: true }, admin),
        'the settings',
        401,
      )
      refused(
        await fixture.call('', 'DELETE', '/api/resources/own.txt', undefined, cookie),
        'deleting',
        401,
      )
      refused(await fixture.call('', 'PUT', '/api/resources/own.txt', 'x', cookie), 'writing', 401)
      refused(await fixture.call('', 'POST', '/api/logout', undefined, cookie), 'signing out', 401)
      untouched(fixture, 'the attempt', 'alice/own.txt')
      works(await fixture.call('', 'GET', '/api/raw/own.txt', undefined, cookie), 'reading')
      works(await fixture.call('alice', 'PUT', '/api/resources/own.txt', 'x'), 'with the header')
      const set = (await fixture.signIn('alice')).headers.get('set-cookie') ?? ''
      assert(/SameSite=(Strict|Lax)/i.test(set), 'the cookie goes to other sites')
    },
  },
  {
    id: 'G-69',
    attack: 'a token after signing out, and after a change of the password',
    reason: 'a token names a row of the database, which both remove',
    async run(fixture) {
      const changePassword = async (who: string, currentPassword: string) => {
        const all: { id: number; username: string }[] = JSON.parse(
          (await fixture.call('admin', 'GET', '/api/users')).text,
        )
        const id = all.find(({ username }) => username === 'bob')?.id
        const body = {
          what: 'user',
          which: ['password'],
          current_password: currentPassword,
          data: { id, password: FIXTURE_PASSWORD },
        }
        return fixture.call(who, 'PUT', `/api/users/${id}`, body)
      }
      for (const [description, end] of [
        ['signing out', () => fixture.call('ending', 'POST', '/api/logout')],
        ['an own change', () => changePassword('ending', FIXTURE_PASSWORD)],
        ['an administrator’s change', () => changePassword('admin', fixture.password)],
      ] as const) {
        fixture.tokens.ending = (await fixture.signIn('bob')).text
        works(await fixture.call('ending', 'GET', '/api/resources/'), 'before')
        works(await end(), description)
        refused(await fixture.call('ending', 'GET', '/api/resources/'), description, 401)
        refused(
          await fixture.call('ending', 'POST', '/api/renew'),
          `renewing after ${description}`,
          401,
        )
      }
      fixture.tokens.bob = works(await fixture.signIn('bob'), 'signing in again').text
    },
  },
  {
    id: 'G-237',
    attack: 'a token after signing out, in another spelling, and at the routes of links',
    reason: 'one function reads the token of every route, and its row is found by the id in it',
    advisories: ['FileBrowser Quantum GHSA-4wmj, GHSA-8m35 (revoked tokens that still worked)'],
    async run(fixture) {
      const made = await fixture.call('alice', 'POST', '/api/share/own.txt', {
        password: 'tell none',
      })
      const { hash } = JSON.parse(works(made, 'a share').text)
      fixture.tokens.ended = works(await fixture.signIn('alice'), 'a session').text
      works(await fixture.call('ended', 'POST', '/api/logout'), 'signing out')
      for (const token of variantsOf(fixture.tokens.ended)) {
        for (const target of [
          '/api/resources/',
          '/api/raw/own.txt',
          '/api/shares',
          '/api/events/',
          `/api/public/share/${hash}`,
          `/api/public/dl/${hash}`,
        ]) {
          for (const headers of [{ 'X-Auth': token }, { Cookie: `auth=${token}` }]) {
            const response = await fixture.raw('', 'GET', target, '', headers)
            refused(response, `${target} with ${token.slice(-8)}`, 401)
            hides(fixture, response, target, 'alice/own.txt')
          }
        }
      }
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'another session of the user')
    },
  },
  {
    id: 'G-70',
    attack: 'a password of many megabytes',
    reason: 'a form without a session may have 8 KiB, and a password 1 KiB',
    async run(fixture) {
      const huge = 'x'.repeat(20 * 2 ** 20)
      const body = JSON.stringify({ username: 'alice', password: huge })
      refused(await fixture.call('', 'POST', '/api/login', body), 'signing in', 413)
      await withSignUp(fixture, {}, async () => {
        refused(await fixture.call('', 'POST', '/api/signup', body), 'signing up', 413)
      })
      works(await fixture.signIn('alice'), 'the right password')
    },
  },
  {
    id: 'G-71',
    attack: 'finding out which users exist',
    reason: 'an unknown name gets the same response, and costs the same time for hashes',
    async run(fixture) {
      const [known, unknown] = [
        await fixture.signIn('alice', 'wrong'),
        await fixture.signIn('nobody', 'wrong'),
      ]
      assert(known.status === 403 && unknown.status === 403, 'a guess is accepted')
      assert(known.text === unknown.text, 'the responses differ')
      const names = ({ headers }: RawResponse) => [...headers.keys()].sort().join()
      assert(names(known) === names(unknown), 'the headers differ')
      works(await fixture.signIn('alice'), 'the right password')
    },
  },
  {
    id: 'G-73',
    attack: 'headers that name a user',
    reason:
      'such a header is ignored unless the operator configured it, and then accepted only from trusted proxies',
    async run(fixture) {
      const names = {
        'X-Forwarded-User': 'admin',
        'Remote-User': 'admin',
        'X-Auth-Request-User': 'admin',
      }
      refused(await fixture.call('', 'GET', '/api/users', undefined, names), 'a header', 401)
      refused(await fixture.call('', 'POST', '/api/login', {}, names), 'signing in', 403)
      works(await fixture.call('admin', 'GET', '/api/users', undefined, names), 'the administrator')
    },
  },
  {
    // Last, because this address is blocked for a while afterwards.
    id: 'G-72',
    attack: 'guessing passwords',
    reason: 'failures are counted by account and address, and each further attempt waits longer',
    advisories: ['FileRise 3.32 (passwords of links without a limit)'],
    async run(fixture) {
      const made = await fixture.call('alice', 'POST', '/api/share/own.txt', {
        password: 'tell nobody',
      })
      const { hash } = JSON.parse(works(made, 'a share').text)
      await mustThrottle('a link', 401, (number) =>
        fixture.call('', 'GET', `/api/public/share/${hash}`, undefined, {
          'X-SHARE-PASSWORD': `guess${number}`,
        }),
      )
      await mustThrottle('an account', 403, (number) =>
        fixture.call(
          '',
          'POST',
          '/api/login',
          { username: 'alice', password: `guess${number}` },
          { 'X-Forwarded-For': `192.0.2.${number}` },
        ),
      )
      works(await fixture.call('alice', 'GET', '/api/resources/'), 'an open session')
    },
  },
]

/** A token, and other texts that decode to the same bytes for a reader of base64 that is not strict. */
function variantsOf(token: string): string[] {
  const [head = '', body = '', signature = ''] = token.split('.')
  // A signature of 32 bytes fills 43 characters; the last two bits of the last one say nothing.
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = digits[digits.indexOf(signature.at(-1) ?? '') ^ 1] ?? ''
  return [
    token,
    `${token}=`,
    ` ${token}`,
    `${head}.${body}.${signature.slice(0, -1)}${other}`,
    `${head}.${body}.${signature.replaceAll('-', '+').replaceAll('_', '/')}`,
    `${head}=.${body}=.${signature}=`,
  ]
}

async function mustThrottle(
  description: string,
  statusIfWrong: number,
  guess: (number: number) => ReturnType<Fixture['call']>,
): Promise<void> {
  for (let number = 1; number <= 50; number += 1) {
    const response = await guess(number)
    if (response.status === 429) {
      assert(
        Number(response.headers.get('retry-after')) > 0,
        `${description} does not say how long to wait`,
      )
      return
    }
    refused(response, description, statusIfWrong)
  }
  assert(false, `${description} can be guessed 50 times`)
}
