/** Sign-in by password with users in a database: who is signed in, and how guessing is slowed down. */
import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { NETWORKS_MAX } from '#server/accounts/credentials/known-networks.ts'
import { hashKindOf } from '#server/accounts/credentials/passwords.ts'
import { Enforcement } from '#server/accounts/second-factor/enforcement.ts'
import { methodSettings, SignIn } from '#server/accounts/sign-in/sign-in.ts'
import { Provisioning } from '#server/accounts/users/provisioning.ts'
import { loadConfig } from '#server/config/load.ts'
import { type Core, openCore } from '#server/core.ts'
import { Fault } from '#wire/fault.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { NO_DIRECTORIES } from '../../../support/server/confirmation.ts'

const HERE = '192.0.2.1'
const AGENT = 'test'
const BCRYPT = { algorithm: 'bcrypt', cost: 4 } as const
const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

let folder: ReturnType<typeof temporaryFolder>
let core: Core
beforeEach(async () => {
  folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  core = await openCore(loadConfig({ flags: { database }, env: {} }))
  const admin = { perm: permissionsOf('admin') }
  await core.users.createHashed('admin', await Bun.password.hash('right', CHEAP), admin)
  await core.users.createHashed('old', await Bun.password.hash('right', BCRYPT))
})
afterEach(async () => {
  setSystemTime()
  await core.close()
  folder.remove()
})

/** A new object, as after a start of the server: it knows only what the database stores. */
function signIn(settings = methodSettings(core.config)): SignIn {
  const homes = { make: async () => undefined, isFree: async () => true }
  const provisioning = new Provisioning(core.users, core.settings, homes)
  const enforcement = new Enforcement(
    { ...core, identities: { findById: async () => undefined } },
    settings.method === 'json',
  )
  const directorySignIn = NO_DIRECTORIES
  return new SignIn({ ...core, provisioning, enforcement, directorySignIn }, settings)
}

async function tryPassword(
  methods: SignIn,
  username: string,
  password: string,
  address = HERE,
  sessionUser?: string,
): Promise<string> {
  const attempt = { username, password, header: () => undefined }
  try {
    return (await methods.open(attempt, { address, agent: AGENT }, sessionUser)).username
  } catch (error) {
    return error instanceof Fault ? error.code : String(error)
  }
}

test('a wrong password is compared with a hash of each kind, for every user name', async () => {
  const verify = spyOn(Bun.password, 'verify')
  const methods = signIn()
  const work: string[] = []
  for (const username of ['admin', 'old', 'nobody', '']) {
    verify.mockClear()
    expect(await tryPassword(methods, username, 'wrong')).toBe('wrongCredentials')
    work.push(
      verify.mock.calls
        .map(([, hash]) => hashKindOf(String(hash)))
        .sort()
        .join(' '),
    )
  }
  verify.mockRestore()
  expect(new Set(work).size).toBe(1)
  expect(work[0]?.split(' ')).toHaveLength(3)
  expect(work[0]).toContain('$2b$04$')
})

test('an account under attack from many addresses stays open to known addresses', async () => {
  const [seen, addressOfOld, stranger] = ['198.51.100.1', '198.51.100.2', '203.0.113.200']
  const methods = signIn()
  expect(await tryPassword(methods, 'admin', 'right', seen)).toBe('admin')
  await core.sessions.endAll(1)
  expect(await tryPassword(methods, 'admin', 'right', HERE)).toBe('admin')
  expect(await tryPassword(methods, 'old', 'right', addressOfOld)).toBe('old')
  for (let number = 1; number <= 61; number += 1) {
    await tryPassword(methods, 'admin', 'wrong', `203.0.113.${number}`)
  }
  const blockedMs = Date.now()
  setSystemTime(new Date(blockedMs))
  expect(await tryPassword(methods, 'admin', 'right', stranger)).toBe('tooMany')
  // As after a restart: what the database stores is known.
  const restarted = signIn()
  expect(await tryPassword(restarted, 'admin', 'right', HERE)).toBe('admin')
  expect(await tryPassword(restarted, 'admin', 'right', seen)).toBe('admin')
  // An address that has signed in, though no session of it is left.
  expect(await tryPassword(methods, 'admin', 'right', seen)).toBe('admin')
  // The sign-in or session of another user does not help.
  expect(await tryPassword(methods, 'admin', 'right', addressOfOld)).toBe('tooMany')
  expect(await tryPassword(methods, 'admin', 'right', stranger, 'old')).toBe('tooMany')
  // A client with a session of the account may sign in, and a local client too.
  expect(await tryPassword(methods, 'admin', 'right', '198.51.100.9', 'admin')).toBe('admin')
  expect(await tryPassword(methods, 'admin', 'right', '127.0.0.1')).toBe('admin')
  // After a while all other clients too.
  setSystemTime(new Date(blockedMs + 30_001))
  expect(await tryPassword(methods, 'admin', 'right', stranger)).toBe('admin')
}, 60_000)

test('guesses at one user name block only that user name', async () => {
  const methods = signIn()
  const names = ['own 1', 'link abc']
  for (const name of names) {
    for (let number = 1; number <= 61; number += 1) {
      await tryPassword(methods, name, 'wrong', `203.0.113.${number}`)
    }
    expect(await tryPassword(methods, name, 'wrong', HERE)).toBe('tooMany')
    // Attempts with the current password or the password of a share are counted in the same way.
    const own = await core.throttle.attempt({ account: name, address: HERE }, async () => true)
    expect(await own).toBe(true)
  }
}, 60_000)

test('the number of remembered addresses of an account is limited, and the least recently used is dropped @limit-87', async () => {
  expect(NETWORKS_MAX).toBe(32)
  const methods = signIn()
  const [first, second, third] = ['198.51.100.1', '198.51.100.2', '198.51.100.3'] as const
  const others = Array.from({ length: 30 }, (_, number) => `198.51.100.${number + 100}`)
  for (const address of [first, second, first, ...others, third]) {
    expect(await tryPassword(methods, 'admin', 'right', address)).toBe('admin')
  }
  await core.sessions.endAll(1)
  for (let number = 1; number <= 61; number += 1) {
    await tryPassword(methods, 'admin', 'wrong', `203.0.113.${number}`)
  }
  setSystemTime(new Date())
  expect(await tryPassword(methods, 'admin', 'right', second)).toBe('tooMany')
  for (const address of [third, first]) {
    expect(await tryPassword(methods, 'admin', 'right', address)).toBe('admin')
    await core.sessions.endAll(1)
  }
}, 60_000)

test('guessing is slowed down, for one account and for one address with many accounts', async () => {
  const methods = signIn()
  for (let number = 0; number < 8; number += 1) await tryPassword(methods, 'admin', 'wrong')
  expect(await tryPassword(methods, 'admin', 'right')).toBe('tooMany')
  for (let number = 0; number < 30; number += 1) await tryPassword(methods, `name${number}`, 'x')
  expect(await tryPassword(methods, 'old', 'right')).toBe('tooMany')
}, 60_000)

test('the correct password replaces an old hash, and a wrong one is refused', async () => {
  const methods = signIn()
  expect(await tryPassword(methods, 'old', 'wrong')).toBe('wrongCredentials')
  expect(await tryPassword(methods, 'nobody', 'right')).toBe('wrongCredentials')
  expect(await tryPassword(methods, 'old', 'right')).toBe('old')
  expect((await core.users.getByNameOrId('old')).passwordHash).toStartWith('$argon2id$')
  expect(await tryPassword(methods, 'old', 'right')).toBe('old')
})

test('a sign-in method without its required option is refused at the start', () => {
  const settings = methodSettings(core.config)
  const captcha = { host: 'nowhere', secret: 'key' }
  for (const [lacking, words] of [
    [{ ...settings, method: 'proxy', header: '' }, '--auth.header'],
    [{ ...settings, method: 'hook', command: ' ' }, '--auth.command'],
    [{ ...settings, captcha }, 'recaptcha.host'],
  ] as const) {
    expect(() => signIn(lacking)).toThrow(words)
  }
})

test('without sign-in every client acts as user 1, and is refused if user 1 does not exist', async () => {
  const methods = signIn({ ...methodSettings(core.config), method: 'noauth' })
  expect(await tryPassword(methods, 'old', '')).toBe('admin')
  await core.users.update(2, { perm: permissionsOf('admin') })
  await core.users.remove(1)
  expect(await tryPassword(methods, 'old', '')).toBe('internal')
})

test('without sign-in, a client that comes before the first user exists is asked to try again', async () => {
  await core.close()
  const database = join(folder.path, 'empty.db')
  core = await openCore(loadConfig({ flags: { database }, env: {} }))
  const methods = signIn({ ...methodSettings(core.config), method: 'noauth' })
  expect(await tryPassword(methods, 'x', '')).toBe('unavailable')
})

test('failures at many accounts from the machine itself block its address too', async () => {
  const methods = signIn()
  for (let number = 0; number < 40; number += 1)
    await tryPassword(methods, `name${number}`, 'x', '127.0.0.1')
  expect(await tryPassword(methods, 'another', 'x', '127.0.0.1')).toBe('tooMany')
})

describe('sessions', () => {
  test('sessions of a user end when the user is imported from a file', async () => {
    await tryPassword(signIn(), 'old', 'right')
    const old = await core.users.getByNameOrId('old')
    expect(await core.sessions.list(old.id)).toHaveLength(1)
    const changes = { perm: old.perm }
    const again = { id: old.id, username: 'old', passwordHash: old.passwordHash, changes }
    await expect(
      core.users.importUsers([again], { overwrite: false, replace: false }),
    ).rejects.toThrow()
    expect(await core.sessions.list(old.id)).toHaveLength(1)
    await core.users.importUsers([again], { overwrite: true, replace: false })
    expect(await core.sessions.list(old.id)).toEqual([])
  })

  test('a signed URL of an expired session is refused', async () => {
    await tryPassword(signIn(), 'old', 'right')
    const [session] = await core.sessions.list()
    const signedUrl = { session: session?.id ?? '', path: '/a', query: '', from: 'http://x' }
    expect((await core.sessions.authenticateSignedUrl(signedUrl))?.user.username).toBe('old')
    setSystemTime(new Date((session?.expiresMs ?? 0) + 1))
    expect(await core.sessions.authenticateSignedUrl(signedUrl)).toBeUndefined()
    setSystemTime()
    await core.sessions.endAll(session?.userId ?? 0)
    expect(await core.sessions.authenticateSignedUrl(signedUrl)).toBeUndefined()
  })
})

test('an invalid user name is refused when a user is created, changed or imported', async () => {
  const long = 'n'.repeat(129)
  const invisible = [
    'a\nb',
    'a\u007f',
    'b\u200bo',
    'bo\u2060',
    '\u202eob',
    'b\u00ado',
    '\u3164',
    '\u2800',
  ]
  for (const name of [long, '', ' ', ...invisible]) {
    const { passwordHash } = await core.users.get(1)
    await expect(core.users.createHashed(name, passwordHash)).rejects.toThrow('1 to 128')
    await expect(core.users.update(2, { username: name })).rejects.toThrow('1 to 128')
    const one = {
      id: 0,
      username: name,
      passwordHash: (await core.users.get(1)).passwordHash,
      changes: {},
    }
    await expect(
      core.users.importUsers([one], { overwrite: false, replace: false }),
    ).rejects.toThrow('1 to 128')
  }
})
