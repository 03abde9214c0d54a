/** Users, sign-up and privileges. */

import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import { signUp, withSignUp } from '../sign-up.ts'

const NAMED = 'only fields named by `which` are changed, and a list says who may change each'

export const userCases: AttackCase[] = [
  {
    id: 'G-56',
    attack: 'a user who raises their own rights',
    reason: NAMED,
    advisories: ['FileBrowser Quantum GHSA-p5cc (a user who changes own rights)'],
    async run(fixture) {
      const { id } = await userNamed(fixture, 'alice')
      const before = await userNamed(fixture, 'alice')
      const data = {
        id,
        perm: { admin: true },
        scope: '/',
        rules: [],
        commands: ['sh'],
        lockPassword: true,
        username: 'root',
      }
      for (const which of [
        ['perm'],
        ['scope'],
        ['rules'],
        ['commands'],
        ['lockPassword'],
        ['username'],
        ['all'],
        [],
      ]) {
        const change = { what: 'user', which, current_password: FIXTURE_PASSWORD, data }
        refused(await fixture.call('alice', 'PUT', `/api/users/${id}`, change), String(which), 403)
      }
      assert(
        JSON.stringify(await userNamed(fixture, 'alice')) === JSON.stringify(before),
        'something changed',
      )
      const own = {
        what: 'user',
        which: ['locale'],
        data: { id, locale: 'de', perm: { admin: true } },
      }
      works(await fixture.call('alice', 'PUT', `/api/users/${id}`, own), 'a preference')
      assert(!(await userNamed(fixture, 'alice')).perm.admin, 'a preference carried a right')
    },
  },
  {
    id: 'G-57',
    attack: 'field names in upper or lower case',
    reason: 'a field name is normalised once, before it is checked',
    async run(fixture) {
      const { id } = await userNamed(fixture, 'alice')
      for (const [which, data] of [
        [['Password'], { id, password: 'another long password' }],
        [['PASSWORD'], { id, password: 'another long password' }],
        [['Perm'], { id, perm: { admin: true } }],
      ] as const) {
        const response = await fixture.call('alice', 'PUT', `/api/users/${id}`, {
          what: 'user',
          which,
          data,
        })
        // 400: the current password is missing.
        refused(response, String(which), 'perm' in data ? 403 : 400)
      }
      works(await fixture.signIn('alice'), 'the old password')
    },
  },
  {
    id: 'G-58',
    attack: 'reading and changing other users',
    reason: 'users read and change only themselves, and the ids in URL and body must be equal',
    async run(fixture) {
      const [alice, bob] = [await userNamed(fixture, 'alice'), await userNamed(fixture, 'bob')]
      const change = (id: number) => ({
        what: 'user',
        which: ['locale'],
        data: { id, locale: 'fr' },
      })
      refused(await fixture.call('bob', 'GET', `/api/users/${alice.id}`), 'reading', 403)
      refused(
        await fixture.call('bob', 'PUT', `/api/users/${alice.id}`, change(alice.id)),
        'changing',
        403,
      )
      refused(
        await fixture.call('bob', 'DELETE', `/api/users/${alice.id}`, {
          current_password: FIXTURE_PASSWORD,
        }),
        'removing',
        403,
      )
      refused(
        await fixture.call('bob', 'PUT', `/api/users/${bob.id}`, change(alice.id)),
        'the id of another user in the body',
        400,
      )
      const own = works(await fixture.call('bob', 'GET', `/api/users/${bob.id}`), 'oneself')
      assert(!/argon2/.test(own.text) && own.text.includes('"password":""'), 'a hash is shown')
      works(await fixture.call('bob', 'PUT', `/api/users/${bob.id}`, change(bob.id)), 'the own')
    },
  },
  {
    id: 'G-59',
    attack: 'routes for administrators',
    reason:
      'a route names the right that it needs, and requireAuth checks it before the handler runs',
    async run(fixture) {
      for (const who of ['alice', '']) {
        for (const [method, target] of [
          ['GET', '/api/users'],
          ['POST', '/api/users'],
          ['GET', '/api/settings'],
          ['PUT', '/api/settings'],
        ] as const) {
          const body = method === 'GET' ? undefined : {}
          refused(
            await fixture.call(who, method, target, body),
            `${method} ${target}`,
            who ? 403 : 401,
          )
        }
      }
      for (const target of ['/api/users', '/api/settings']) {
        works(await fixture.call('admin', 'GET', target), 'an administrator')
      }
      works(await fixture.settings({}), 'a change by an administrator')
    },
  },
  {
    id: 'G-60',
    attack: 'changing a locked password, and removing the last administrator',
    reason:
      'only an administrator changes a locked password, and the last administrator is never removed',
    async run(fixture) {
      const made = works(
        await fixture.addUser('locked', { scope: '/alice', lockPassword: true }),
        'a user',
        201,
      )
      const id = Number(made.headers.get('location')?.split('/').at(-1))
      fixture.tokens.locked = works(await fixture.signIn('locked'), 'signing in').text
      const change = {
        what: 'user',
        which: ['password'],
        current_password: FIXTURE_PASSWORD,
        data: { id, password: 'yet another password' },
      }
      refused(await fixture.call('locked', 'PUT', `/api/users/${id}`, change), 'the password', 403)
      const byAdmin = { ...change, current_password: fixture.password }
      works(await fixture.call('admin', 'PUT', `/api/users/${id}`, byAdmin), 'an administrator')
      const admin = await userNamed(fixture, 'admin')
      const body = { current_password: fixture.password }
      refused(
        await fixture.call('admin', 'DELETE', `/api/users/${admin.id}`, body),
        'removing the last administrator',
        403,
      )
      const withoutAdmin = {
        what: 'user',
        which: ['perm'],
        ...body,
        data: { id: admin.id, perm: { admin: false } },
      }
      refused(
        await fixture.call('admin', 'PUT', `/api/users/${admin.id}`, withoutAdmin),
        'demoting the last administrator',
        403,
      )
      works(await fixture.call('admin', 'GET', '/api/users'), 'the administrator')
    },
  },
  {
    id: 'G-61',
    attack: 'signing up as an administrator',
    reason:
      'a user who signs up is never an administrator and may not run commands, whatever the defaults are',
    async run(fixture) {
      refused(await signUp(fixture, 'early'), 'while it is off', 405)
      const perm = { admin: true, execute: true, download: true }
      await withSignUp(fixture, { perm, commands: ['sh'] }, async () => {
        works(await signUp(fixture, 'eve'), 'signing up')
        const { perm, commands } = await userNamed(fixture, 'eve')
        assert(!perm.admin && !perm.execute && commands.length === 0, 'eve has forbidden rights')
      })
    },
  },
  {
    id: 'G-62',
    attack: 'two user names with the same home folder',
    reason: 'a home folder is checked and assigned in one step, without regard to case',
    async run(fixture) {
      await withSignUp(fixture, {}, async () => {
        works(await signUp(fixture, 'team/x'), 'the first name')
        refused(await signUp(fixture, 'team-x'), 'a similar name', 409)
        refused(await signUp(fixture, 'TEAM-X'), 'in capitals', 409)
        const both = await Promise.all([signUp(fixture, 'pair/y'), signUp(fixture, 'pair-y')])
        assert(both.filter(({ status }) => status === 200).length === 1, 'two at once share a home')
      })
    },
  },
  {
    id: 'G-63',
    attack: 'a user name that leads the home folder elsewhere',
    reason:
      'the name of a home folder has only safe characters, and is strictly below the folder of home folders',
    async run(fixture) {
      await withSignUp(fixture, {}, async () => {
        // A status of 409 is that of a refused sign-up: names with the same home folder conflict.
        for (const [name, status] of [
          ['../../x', 409],
          ['..', 400],
          ['.', 400],
          ['', 400],
          ['/', 400],
          ['....//x', 409],
        ] as const) {
          const response = await signUp(fixture, name)
          if (response.status === 200) {
            const { scope } = await userNamed(fixture, name)
            assert(/^\/users\/[^/]+$/.test(scope), `${name} has the scope ${scope}`)
          } else refused(response, name, status)
        }
      })
      works(await fixture.addUser('traverser', { scope: '../..' }), 'a scope with ..', 201)
      assert((await userNamed(fixture, 'traverser')).scope === '/', 'a scope leaves the root')
    },
  },
  {
    id: 'G-64',
    attack: 'weak passwords',
    reason: 'every route checks the length and a list of common passwords; hashes are argon2id',
    async run(fixture) {
      await withSignUp(fixture, {}, async () => {
        for (const password of ['', 'a', 'short', 'passwordpassword', 'aaaaaaaaaaaaaaaa']) {
          refused(await signUp(fixture, 'weak', password), password, 400)
          refused(await fixture.addUser('weak', { password }), password, 400)
        }
        works(
          await signUp(fixture, 'strong', 'x'.repeat(20) + FIXTURE_PASSWORD.repeat(4)),
          'a long one',
        )
        works(
          await fixture.signIn('strong', 'x'.repeat(20) + FIXTURE_PASSWORD.repeat(4)),
          'signing in with it',
        )
        refused(
          await fixture.signIn('strong', 'x'.repeat(20) + FIXTURE_PASSWORD.repeat(3)),
          'its beginning',
          403,
        )
      })
    },
  },
  {
    id: 'G-205',
    attack: 'signing up under a name that looks like that of another user, or shows nothing',
    reason: 'a user name has no invisible characters, and none that change the direction of text',
    async run(fixture) {
      await withSignUp(fixture, {}, async () => {
        for (const name of ['ali\u200bce', 'alice\u2060', '\u202eecila', 'ali\u00adce', '\u2800']) {
          refused(await signUp(fixture, name), JSON.stringify(name), 400)
        }
        works(await signUp(fixture, 'élise'), 'a name with an accent')
      })
    },
  },
]

interface UserRecord {
  id: number
  username: string
  scope: string
  commands: string[]
  perm: { admin: boolean; execute: boolean }
}

async function userNamed(fixture: Fixture, name: string): Promise<UserRecord> {
  const all: UserRecord[] = JSON.parse((await fixture.call('admin', 'GET', '/api/users')).text)
  const user = all.find(({ username }) => username === name)
  assert(user !== undefined, `there is no ${name}`)
  return user
}
