/** Passkeys: made, used for a sign-in without a name and as a second factor, and refused. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { NewPasskey, PasskeyList } from '#wire/api/passkeys.ts'
import { API } from '#wire/api/routes.ts'
import type { CodeNeeded } from '#wire/api/second-factor.ts'
import { type Bend, SoftPasskey } from '../../attacks/soft-passkey.ts'
import { type Client, clientWith, outcomeWithReason as outcome } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { changeDatabase, forgetCodes, idOf } from '../support/server/stored.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const ORIGIN = 'https://files.example.org'
const CURRENT = { current_password: PASSWORD }

let app: TestApp
let user: Client
let username: string
let id: number
let count = 0
beforeAll(async () => {
  app = await openTestApp()
  await setPublicAddress(`${ORIGIN}/files`)
})
afterAll(() => app.stop())
beforeEach(async () => {
  count += 1
  username = `user${count}`
  user = await app.person(username)
  id = await idOf(app, username)
})

test('a passkey is made, listed, renamed and used for a sign-in without a name', async () => {
  const { passkey, made } = await addPasskey(user, 'Phone')
  expect(made.passkey).toMatchObject({ id: passkey.id, name: 'Phone', host: 'files.example.org' })
  expect(made.passkey).toMatchObject({ isSynced: false, used: '' })
  expect(made.codes).toHaveLength(10)

  const signedIn = await signInWith(passkey)
  expect(signedIn.status).toBe(200)
  expect(signedIn.headers.get('set-cookie')).toContain('auth=')
  const opened = clientWith(app.url, await signedIn.text())
  const { origin, passkeys } = await listOf(opened)
  expect([origin, passkeys.length]).toEqual([ORIGIN, 1])
  expect(Date.parse(passkeys[0]?.used ?? '')).toBeGreaterThan(Date.now() - 60_000)

  const renamed = opened.call('PATCH', `${API.passkeys}/${passkey.id}`, { name: ' My phone ' })
  expect(await outcome(renamed)).toBe('200')
  expect((await listOf(opened)).passkeys[0]?.name).toBe('My phone')
  const unnamed = opened.call('PATCH', `${API.passkeys}/${passkey.id}`, { name: '\u200b' })
  expect(await outcome(unnamed)).toBe('400 badRequest; field=name')
})

test('a sign-in with a passkey is complete: it needs no code, and the password confirms changes', async () => {
  const { passkey } = await addPasskey(user)
  const opened = clientWith(app.url, await (await signInWith(passkey)).text())
  const added = opened.call('POST', API.appPasswords, {
    name: 'x',
    permissions: ['download'],
    ...CURRENT,
  })
  expect(await outcome(added)).toBe('201')
})

test('with a passkey the password alone is not enough; a recovery code of the first factor is', async () => {
  const { made } = await addPasskey(user)
  const needed = await withPassword()
  expect([needed.status, needed.headers.get('x-fault')]).toEqual([
    401,
    'unauthenticated; reason=codeNeeded',
  ])
  const { ticket, ...factors } = (await needed.json()) as CodeNeeded
  expect(factors).toEqual({ app: false, passkeyHosts: ['files.example.org'] })
  const code = made.codes[0] ?? ''
  expect(await outcome(app.anonymous.call('POST', API.loginCode, { ticket, code }))).toBe('200')
  expect((await addPasskey(user, 'Another')).made.codes).toEqual([])
})

test('a passkey confirms changes of its session, with the password', async () => {
  const { passkey } = await addPasskey(user)
  forgetCodes(app)
  const remove = () => outcome(user.call('DELETE', `${API.passkeys}/${passkey.id}`, CURRENT))
  expect(await remove()).toBe('400 badRequest; reason=codeNeeded')
  const options = await verifyOptions(user)
  expect(options.allowCredentials.map((one: { id: string }) => one.id)).toEqual([passkey.id])
  const verify = (body: object) => outcome(call(user, 'POST', `${API.passkeys}/verify`, body))
  const credential = passkey.sign(options)
  expect(await verify({ current_password: 'wrong', credential })).toBe(
    '400 badRequest; reason=currentPasswordWrong',
  )
  const unlocked = passkey.sign(options, { isVerified: false })
  expect(await verify({ ...CURRENT, credential: unlocked })).toBe(
    '400 badRequest; reason=passkeyRefused',
  )
  expect(await remove()).toBe('400 badRequest; reason=codeNeeded')
  expect(
    await verify({ ...CURRENT, credential: passkey.sign(options, { userHandle: null }) }),
  ).toBe('200')
  expect(await remove()).toBe('200')
  expect(await outcome(withPassword())).toBe('200')
  expect(stored('recovery_codes')).toBe(0)
})

test('a new passkey needs the password, and a recent code or passkey of the account', async () => {
  await addPasskey(user)
  forgetCodes(app)
  const begin = (body: object) => outcome(call(user, 'POST', `${API.passkeys}/options`, body))
  expect(await begin({})).toBe('400 badRequest; reason=currentPasswordWrong')
  expect(await begin(CURRENT)).toBe('400 badRequest; reason=codeNeeded')
})

test.each<[string, Bend]>([
  ['another origin', { origin: 'https://files.example.com' }],
  ['the same host with another port', { origin: 'https://files.example.org:8443' }],
  ['another relying party', { rpId: 'example.org' }],
  ['no verified user', { isVerified: false }],
  ['the type of a sign-in', { type: 'webauthn.get' }],
])('a registration with %s is refused', async (_, bend) => {
  const options = await creationOptions(user)
  const { credential } = SoftPasskey.create(ORIGIN, options, bend)
  expect(await outcome(register(user, credential))).toBe('400 badRequest; reason=passkeyRefused')
  expect((await listOf(user)).passkeys).toEqual([])
})

test('a registration needs the challenge of its own session, once', async () => {
  const options = await creationOptions(user)
  const { credential } = SoftPasskey.create(ORIGIN, options)
  const expired = '404 expired; reason=signInExpired'
  const other = await signedIn()
  expect(await outcome(register(other, credential))).toBe(expired)
  const made = SoftPasskey.create(ORIGIN, options, { challenge: 'AAAA' })
  expect(await outcome(register(user, made.credential))).toBe(expired)
  const signIn = await signInOptions()
  const ofSignIn = SoftPasskey.create(ORIGIN, { ...options, challenge: signIn.challenge })
  expect(await outcome(register(user, ofSignIn.credential))).toBe(expired)
  expect(await outcome(register(user, credential))).toBe('201')
  const again = SoftPasskey.create(ORIGIN, options)
  expect(await outcome(register(user, again.credential))).toBe(expired)
})

test.each<[string, Bend]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['no verified user', { isVerified: false }],
  ['the handle of another user', { userHandle: Buffer.alloc(64).toString('base64url') }],
  ['no handle', { userHandle: null }],
  ['the type of a registration', { type: 'webauthn.create' }],
])('a sign-in with %s is refused', async (_, bend) => {
  const { passkey } = await addPasskey(user)
  expect(await outcome(signInWith(passkey, bend))).toBe(
    '403 wrongCredentials; reason=passkeyRefused',
  )
  expect(await outcome(signInWith(passkey))).toBe('200')
})

test('a sign-in uses its challenge up, also with parallel requests, and needs one of a sign-in', async () => {
  // It does not count, so only the challenge distinguishes the requests.
  const { passkey } = await addPasskey(user, 'Synced', { isSynced: true })
  const credential = passkey.sign(await signInOptions(), { counter: 0 })
  const answers = await Promise.all([login(credential), login(credential)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(await outcome(login(credential))).toBe('404 expired; reason=signInExpired')
  const others = [(await verifyOptions(user)).challenge, 'AAAA', '']
  for (const challenge of others) {
    const wrong = passkey.sign(await signInOptions(), { challenge })
    expect(await outcome(login(wrong))).toBe('404 expired; reason=signInExpired')
  }
})

test('a synced passkey does not count, and one that counts never goes back', async () => {
  const { passkey: synced, made } = await addPasskey(user, 'Synced', { isSynced: true })
  expect(made.passkey.isSynced).toBe(true)
  for (const _ of [1, 2]) expect(await outcome(signInWith(synced, { counter: 0 }))).toBe('200')
  const { passkey } = await addPasskey(user, 'Counting')
  expect(await outcome(signInWith(passkey, { counter: 7 }))).toBe('200')
  for (const counter of [7, 6, 0]) {
    expect(await outcome(signInWith(passkey, { counter }))).toBe(
      '403 wrongCredentials; reason=passkeyRefused',
    )
  }
  expect(await outcome(signInWith(passkey, { counter: 8 }))).toBe('200')
})

test('two sign-ins with the same counter at the same time: one succeeds', async () => {
  const { passkey } = await addPasskey(user)
  const [one, other] = [await signInOptions(), await signInOptions()]
  const answers = await Promise.all([
    login(passkey.sign(one, { counter: 3 })),
    login(passkey.sign(other, { counter: 3 })),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
})

test('a removed passkey, and that of a removed user, sign no one in', async () => {
  const { passkey } = await addPasskey(user)
  expect(await outcome(user.call('DELETE', `${API.passkeys}/${passkey.id}`, CURRENT))).toBe('200')
  const unknown = '403 wrongCredentials; reason=passkeyUnknown'
  expect(await outcome(signInWith(passkey))).toBe(unknown)
  const { passkey: later } = await addPasskey(user)
  await app.runCommand('users', 'rm', username)
  expect(await outcome(signInWith(later))).toBe(unknown)
})

test('a passkey of another user confirms nothing, and cannot be renamed or removed', async () => {
  const { passkey } = await addPasskey(user)
  const other = await app.person(`other${count}`)
  const own = await addPasskey(other)
  const credential = passkey.sign(await verifyOptions(other))
  const verified = call(other, 'POST', `${API.passkeys}/verify`, { ...CURRENT, credential })
  expect(await outcome(verified)).toBe('400 badRequest; reason=passkeyUnknown')
  const one = `${API.passkeys}/${passkey.id}`
  expect(await outcome(other.call('PATCH', one, { name: 'x' }))).toBe('404 notFound')
  expect(await outcome(other.call('DELETE', one, CURRENT))).toBe('404 notFound')
  expect((await listOf(other)).passkeys.map((passkey) => passkey.id)).toEqual([own.passkey.id])
  // The same id again, as an authenticator that lies would send it.
  const options = await creationOptions(other)
  const { credential: copied } = SoftPasskey.create(ORIGIN, options)
  const stolen = { ...copied, id: passkey.id, rawId: passkey.id }
  await outcome(register(other, stolen))
  expect((await listOf(user)).passkeys.map((passkey) => passkey.id)).toEqual([passkey.id])
})

test('passkeys belong to an address: at another one they are named, and not accepted', async () => {
  const { passkey, made } = await addPasskey(user)
  await setPublicAddress('https://new.example.org')
  try {
    const options = await signInOptions()
    expect(options.rpId).toBe('new.example.org')
    const there = passkey.sign(options, { origin: 'https://new.example.org' })
    expect(await outcome(login(there))).toBe('403 wrongCredentials; reason=passkeyElsewhere')
    expect(await (await login(there)).text()).toContain('files.example.org')
    const { passkeyHosts, ticket } = (await (await withPassword()).json()) as CodeNeeded
    expect(passkeyHosts).toEqual(['files.example.org'])
    const code = made.codes[1] ?? ''
    expect(await outcome(app.anonymous.call('POST', API.loginCode, { ticket, code }))).toBe('200')
  } finally {
    await setPublicAddress(ORIGIN)
  }
})

test.each(['http://files.example.org', 'https://192.0.2.7', 'https://[2001:db8::7]:8443'])(
  'there are no passkeys at %s, and a header does not change that',
  async (address) => {
    await setPublicAddress(address)
    try {
      const nowhere = '409 conflict; reason=passkeysNowhere'
      const headers = { origin: ORIGIN, host: 'files.example.org' }
      const begin = user.call('POST', `${API.passkeys}/options`, CURRENT, headers)
      expect(await outcome(begin)).toBe(nowhere)
      const signIn = app.anonymous.call('POST', `${API.loginPasskey}/options`, '', headers)
      expect(await outcome(signIn)).toBe(nowhere)
      expect((await listOf(user)).origin).toBe('')
    } finally {
      await setPublicAddress(ORIGIN)
    }
  },
)

test('without a public address only pages of localhost have passkeys', async () => {
  await setPublicAddress('')
  try {
    const at = (origin: string) =>
      app.anonymous.call('POST', `${API.loginPasskey}/options`, '', { origin })
    expect((await (await at('http://localhost:8080')).json()) as object).toMatchObject({
      rpId: 'localhost',
    })
    for (const origin of [
      'http://127.0.0.1:8080',
      ORIGIN,
      'http://localhost.evil.example',
      'null',
    ]) {
      expect(await outcome(at(origin))).toBe('409 conflict; reason=passkeysNowhere')
    }
    expect(await outcome(app.anonymous.call('POST', `${API.loginPasskey}/options`))).toStartWith(
      '409',
    )
  } finally {
    await setPublicAddress(ORIGIN)
  }
})

test('a user has at most twenty passkeys', async () => {
  const options = await creationOptions(user)
  const db = new Database(app.database)
  db.run('PRAGMA busy_timeout = 20000')
  for (let number = 0; number < 20; number += 1) {
    db.query(
      `INSERT INTO passkeys (id, user_id, handle, public_key, counter, rp_id, transports, is_synced, name, created_ms)
       VALUES (?, ?, 'x', x'00', 0, 'files.example.org', '', 0, 'x', ?)`,
    ).run(`${username}-${number}`, id, number)
  }
  db.close()
  const { credential } = SoftPasskey.create(ORIGIN, options)
  const full = '429 tooMany; reason=passkeysFull'
  expect(await outcome(register(user, credential))).toBe(full)
  changeDatabase(app, `UPDATE sessions SET verified_ms = ${Date.now()}`)
  expect(await outcome(call(user, 'POST', `${API.passkeys}/options`, CURRENT))).toBe(full)
})

test('an administrator removes the passkeys of a user, and so does the command line', async () => {
  const { passkey } = await addPasskey(user)
  const listed = await (await app.admin.call('GET', `${API.secondFactor}/users`)).json()
  expect(listed).toContainEqual({ userID: id, since: expect.any(String), passkeys: 1 })
  const confirmation = { current_password: app.server.password }
  const removed = app.admin.call('DELETE', `${API.secondFactor}/users/${id}`, confirmation)
  expect(await outcome(removed)).toBe('200')
  expect(await outcome(user.call('GET', API.passkeys))).toBe('401 unauthenticated')
  expect(await outcome(signInWith(passkey))).toBe('403 wrongCredentials; reason=passkeyUnknown')
  expect(await outcome(withPassword())).toBe('200')
  const again = await signedIn()
  const { passkey: later } = await addPasskey(again)
  await app.runCommand('users', 'reset-second-factor', username)
  expect(await outcome(signInWith(later))).toBe('403 wrongCredentials; reason=passkeyUnknown')
  expect(await outcome(again.call('GET', API.passkeys))).toBe('401 unauthenticated')
})

test('refused passkeys slow down further ones, and the password of the same account', async () => {
  const { passkey } = await addPasskey(user)
  const options = await signInOptions()
  let answer = ''
  for (let attempt = 0; attempt < 100 && !answer.startsWith('429'); attempt += 1) {
    answer = await outcome(login(passkey.sign(options, { isVerified: false })))
  }
  expect(answer).toStartWith('429')
  expect(await outcome(withPassword())).toStartWith('429')
})

test('an app password makes, lists and removes no passkey', async () => {
  const created = await user.call('POST', API.appPasswords, {
    name: 'x',
    permissions: ['download', 'create'],
    ...CURRENT,
  })
  const { password } = (await created.json()) as { password: string }
  const { passkey } = await addPasskey(user)
  const program = clientWith(app.url, password)
  const one = `${API.passkeys}/${passkey.id}`
  const requests: [string, string][] = [
    ['GET', API.passkeys],
    ['POST', API.passkeys],
    ['POST', `${API.passkeys}/options`],
    ['POST', `${API.passkeys}/verify`],
    ['POST', `${API.passkeys}/verify/options`],
    ['PATCH', one],
    ['DELETE', one],
  ]
  for (const [method, path] of requests) {
    expect(await outcome(call(program, method, path, method === 'GET' ? undefined : CURRENT))).toBe(
      '403 forbidden',
    )
  }
})

/** A request as the page of the public address sends it. */
function call(who: Client, method: string, path: string, body?: object): Promise<Response> {
  return who.call(method, path, body, { origin: ORIGIN })
}

async function creationOptions(who: Client) {
  const answer = await call(who, 'POST', `${API.passkeys}/options`, CURRENT)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const options = (await answer.json()) as {
    challenge: string
    rp: { id: string }
    user: { id: string }
    authenticatorSelection: object
    attestation: string
  }
  expect(options).toMatchObject({
    rp: { id: 'files.example.org', name: 'filemgr' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return options
}

function register(who: Client, credential: object, name = 'Phone'): Promise<Response> {
  return call(who, 'POST', API.passkeys, { name, credential })
}

async function addPasskey(
  who: Client,
  name = 'Phone',
  bend: { isSynced?: boolean } = {},
): Promise<{ passkey: SoftPasskey; made: NewPasskey }> {
  const { passkey, credential } = SoftPasskey.create(ORIGIN, await creationOptions(who), bend)
  const answer = await register(who, credential, name)
  expect(answer.status).toBe(201)
  return { passkey, made: (await answer.json()) as NewPasskey }
}

async function verifyOptions(who: Client) {
  const answer = await call(who, 'POST', `${API.passkeys}/verify/options`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as {
    challenge: string
    rpId: string
    allowCredentials: { id: string }[]
  }
}

async function signInOptions(): Promise<{ challenge: string; rpId: string }> {
  const answer = await call(app.anonymous, 'POST', `${API.loginPasskey}/options`)
  expect(answer.status).toBe(200)
  const options = (await answer.json()) as { challenge: string; rpId: string }
  expect(options).toMatchObject({ userVerification: 'required' })
  return options
}

const login = (credential: object) => call(app.anonymous, 'POST', API.loginPasskey, { credential })

async function signInWith(passkey: SoftPasskey, bend: Bend = {}): Promise<Response> {
  return login(passkey.sign(await signInOptions(), bend))
}

const withPassword = () => app.anonymous.call('POST', API.login, { username, password: PASSWORD })

/** Another session of the user, who has no second factor. */
async function signedIn(): Promise<Client> {
  return clientWith(app.url, await (await withPassword()).text())
}

async function listOf(who: Client): Promise<PasskeyList> {
  return (await (await who.call('GET', API.passkeys)).json()) as PasskeyList
}

async function setPublicAddress(publicAddress: string): Promise<void> {
  const answer = await app.admin.call('PUT', API.settings, { publicAddress })
  expect(answer.status).toBe(200)
}

function stored(table: string): number {
  const db = new Database(app.database)
  const query = `SELECT count(*) AS count FROM ${table} WHERE user_id = ?`
  const row = db.query<{ count: number }, [number]>(query).get(id)
  db.close()
  return row?.count ?? -1
}
