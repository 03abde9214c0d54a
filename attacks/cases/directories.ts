/** Log-in with a directory (LDAP). */
import type { DirectoryOptions } from '#wire/api/directory.ts'
import { assert, refused, works } from '../assertions.ts'
import type { AttackCase } from '../case.ts'
import type { Fixture } from '../fixture.ts'
import { FIXTURE_PASSWORD } from '../fixture-users.ts'
import {
  DIRECTORY_BASE,
  DIRECTORY_PASSWORD,
  openSoftDirectory,
  type SoftDirectory,
} from '../soft-directory.ts'

const DIRECTORIES = '/api/identity/directories'
const LINKED = '/api/identity/linked/directories'
const GROUPS = 'ou=groups,dc=example,dc=org'

/** Runs an attack beside a directory that makes accounts for all. */
async function withDirectory(
  fixture: Fixture,
  options: Partial<DirectoryOptions>,
  run: (directory: SoftDirectory) => Promise<void>,
): Promise<void> {
  using directory = await openSoftDirectory()
  const body = { current_password: fixture.password }
  const added = await fixture.call('admin', 'POST', DIRECTORIES, {
    ...body,
    directory: {
      id: 'attack',
      label: 'attack',
      bindPassword: 'the password of the server',
      isEnabled: true,
      options: {
        address: directory.address,
        isPlain: true,
        base: DIRECTORY_BASE,
        bindDN: 'cn=reader,dc=example,dc=org',
        newAccounts: 'all',
        ...options,
      },
    },
  })
  works(added, 'a directory', 201)
  assert(!added.text.includes('the password of the server'), 'the response has the password')
  try {
    await run(directory)
  } finally {
    works(await fixture.call('admin', 'DELETE', `${DIRECTORIES}/attack`, body), 'its removal')
  }
}

const logIn = (fixture: Fixture, username: string, password: string) =>
  fixture.call('', 'POST', '/api/login', { username, password })

export const directoryCases: AttackCase[] = [
  {
    id: 'G-229',
    attack: 'logging in at a directory with an empty password, which it accepts for anyone',
    reason: 'an empty password is refused before the directory is asked',
    run: (fixture) =>
      withDirectory(fixture, {}, async (directory) => {
        directory.person('daniel', '229-1')
        refused(await logIn(fixture, 'daniel', ''), 'an empty password', 403)
        const link = { directory: 'attack', username: 'daniel', password: '' }
        const confirmed = { ...link, current_password: FIXTURE_PASSWORD }
        refused(await fixture.call('alice', 'POST', LINKED, confirmed), 'a link', 403)
        assert(
          directory.binds.every(({ password }) => password !== ''),
          'the directory got an empty password',
        )
        works(await logIn(fixture, 'daniel', DIRECTORY_PASSWORD), 'the right password')
      }),
  },
  {
    id: 'G-230',
    attack: 'a user name that is a part of an LDAP filter',
    reason: 'the name is a value of the filter and never a part of its text',
    run: (fixture) =>
      withDirectory(fixture, {}, async (directory) => {
        directory.person('erika', '230-1')
        for (const name of [
          '*',
          'erik*',
          '*)(uid=*',
          'erika)(objectClass=*',
          'x)(|(uid=*))',
          '\\2a',
        ])
          refused(await logIn(fixture, name, DIRECTORY_PASSWORD), name, 403)
        works(await logIn(fixture, 'erika', DIRECTORY_PASSWORD), 'the name itself')
      }),
  },
  {
    id: 'G-231',
    attack: 'an entry of a directory with the name of a user here, or of an administrator',
    reason:
      'an account belongs to the unique id of an entry, and is linked only with its own password',
    run: (fixture) =>
      withDirectory(fixture, {}, async (directory) => {
        for (const name of ['admin', 'alice']) {
          directory.person(name, `231-${name}`)
          refused(await logIn(fixture, name, DIRECTORY_PASSWORD), name, 403)
        }
        const link = { directory: 'attack', username: 'alice', password: DIRECTORY_PASSWORD }
        const wrong = { ...link, current_password: DIRECTORY_PASSWORD }
        refused(await fixture.call('alice', 'POST', LINKED, wrong), 'a wrong password', 400)
        refused(await fixture.call('', 'POST', LINKED, wrong), 'no session', 401)
        const right = { ...link, current_password: FIXTURE_PASSWORD }
        works(await fixture.call('alice', 'POST', LINKED, right), 'a link')
        works(await logIn(fixture, 'alice', DIRECTORY_PASSWORD), 'the linked account')
        refused(await fixture.call('bob', 'POST', LINKED, right), 'a second link', 409)
      }),
  },
  {
    id: 'G-232',
    attack: 'a group of a directory that has only the name of the group of administrators',
    reason: 'only groups directly below the chosen base count',
    run: (fixture) =>
      withDirectory(fixture, { adminGroups: ['chiefs'], groupBase: GROUPS }, async (directory) => {
        const elsewhere = ['cn=chiefs,ou=projects,dc=example,dc=org', `cn=chiefs,ou=x,${GROUPS}`]
        const written = [`cn=x\\,cn=chiefs,${GROUPS}`, `cn="chiefs",ou=x,${GROUPS}`]
        directory.person('frida', '232-1', [...elsewhere, ...written])
        directory.person('gustav', '232-2', [`CN=Chiefs, ${GROUPS}`])
        const token = works(await logIn(fixture, 'frida', DIRECTORY_PASSWORD), 'a log-in').text
        const headers = { 'X-Auth': token }
        refused(await fixture.call('', 'GET', '/api/users', undefined, headers), 'the users', 403)
        const chief = works(await logIn(fixture, 'gustav', DIRECTORY_PASSWORD), 'a log-in').text
        const asChief = { 'X-Auth': chief }
        works(await fixture.call('', 'GET', '/api/users', undefined, asChief), 'the users')
      }),
  },
  {
    id: 'G-233',
    attack: 'adding a directory of one’s own, or testing the passwords of others with it',
    reason: 'only administrators change and test directories, and a test counts as a log-in',
    run: (fixture) =>
      withDirectory(fixture, {}, async (directory) => {
        directory.person('hanna', '233-1')
        for (const [method, target] of [
          ['GET', DIRECTORIES],
          ['POST', DIRECTORIES],
          ['PUT', `${DIRECTORIES}/attack`],
          ['DELETE', `${DIRECTORIES}/attack`],
          ['POST', `${DIRECTORIES}/attack/test`],
        ] as const) {
          const sent = method === 'GET' ? undefined : { username: 'hanna', password: 'x' }
          refused(await fixture.call('alice', method, target, sent), `${method} ${target}`, 403)
          refused(await fixture.call('', method, target, sent), `${method} ${target}`, 401)
        }
        const sent = { username: 'hanna', password: DIRECTORY_PASSWORD }
        const target = `${DIRECTORIES}/attack/test`
        const test = works(await fixture.call('admin', 'POST', target, sent), 'a test')
        assert(!test.text.includes(DIRECTORY_PASSWORD), 'the response has the password')
      }),
  },
]
