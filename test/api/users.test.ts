import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import type { ListedUser, User } from '#wire/api/user.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let adminPassword: string
let annaId: number
beforeAll(async () => {
  app = await openTestApp()
  adminPassword = app.server.password
  annaId = (await list()).find(({ username }) => username === 'anna')?.id ?? 0
})
afterAll(() => app.stop())

const list = async () => (await (await app.admin.call('GET', API.users)).json()) as User[]
const find = async (id: number) =>
  (await (await app.admin.call('GET', `${API.users}/${id}`)).json()) as User
const put = (by: Client, id: number, which: string[], data: object, currentPassword = '') =>
  outcome(
    by.call('PUT', `${API.users}/${id}`, {
      what: 'user',
      which,
      data,
      current_password: currentPassword,
    }),
  )
const post = (by: Client, data: object, currentPassword = '', which: string[] = []) =>
  by.call('POST', API.users, { what: 'user', which, data, current_password: currentPassword })

describe('looking', () => {
  test('administrators see all users, users themselves, and requests without a session none @spec-7.33', async () => {
    expect(await outcome(app.anonymous.call('GET', API.users))).toBe('401 unauthenticated')
    expect(await outcome(app.anna.call('GET', API.users))).toBe('403 forbidden')
    expect((await list()).map(({ username }) => username)).toEqual(['admin', 'anna'])
    expect(await outcome(app.anna.call('GET', `${API.users}/1`))).toBe('403 forbidden')
    expect(await outcome(app.admin.call('GET', `${API.users}/999`))).toBe('404 notFound')
    expect(await outcome(app.admin.call('GET', `${API.users}/abc`))).toBe('404 notFound')
  })

  test('responses contain no hash and no password, and users do not see their own scope @spec-7.33', async () => {
    const text = await (await app.anna.call('GET', `${API.users}/${annaId}`)).text()
    expect(text).not.toContain('argon2')
    expect(JSON.parse(text)).toMatchObject({ username: 'anna', password: '', scope: '' })
    expect(await find(annaId)).toMatchObject({ scope: '/anna', password: '' })
  })
})

test('the list says when each user last signed in, and a change of the user keeps that', async () => {
  const users = async (): Promise<ListedUser[]> => (await app.admin.call('GET', API.users)).json()
  const lastOf = async (name: string) =>
    (await users()).find(({ username }) => username === name)?.lastSignIn
  await app.runCommand('users', 'add', 'newcomer', PASSWORD)
  expect(await lastOf('newcomer')).toBe('')
  const before = Date.now()
  const client = await signIn(app.url, 'newcomer', PASSWORD)
  const signedIn = await lastOf('newcomer')
  expect(Date.parse(signedIn ?? '')).toBeGreaterThanOrEqual(before)
  const id = (await users()).find(({ username }) => username === 'newcomer')?.id ?? 0
  expect(await put(client, id, ['locale'], { locale: 'de' })).toBe('200')
  expect(await lastOf('newcomer')).toBe(signedIn)
  expect(await find(id)).not.toHaveProperty('lastSignIn')
})

test('the account of another user is 403, and its name is not in the record @spec-7.58', async () => {
  const newest = async (by: Client): Promise<AuditEntry> =>
    (await (await by.call('GET', `${API.audit}?limit=1`)).json())[0]
  await app.person('unknown-to-anna')
  const otherId = (await list()).find(({ username }) => username === 'unknown-to-anna')?.id ?? 0
  const edit = {
    what: 'user',
    which: ['locale'],
    data: { locale: 'de' },
    current_password: PASSWORD,
  }
  for (const id of [otherId, 987_654]) {
    for (const [method, action] of [
      ['PUT', 'changeUser'],
      ['DELETE', 'removeUser'],
    ] as const) {
      expect(await outcome(app.anna.call(method, `${API.users}/${id}`, edit))).toBe('403 forbidden')
      expect(await newest(app.anna)).toMatchObject({ action, path: `/${id}`, whom: '' })
      expect(await newest(app.admin)).toMatchObject({ action, username: 'anna', whom: '' })
    }
  }
  expect(await put(app.anna, annaId, ['locale'], { locale: '' })).toBe('200')
  expect(await newest(app.anna)).toMatchObject({ action: 'changeUser', whom: 'anna' })
  expect(await put(app.admin, otherId, ['locale'], { locale: 'de' })).toBe('200')
  expect(await newest(app.admin)).toMatchObject({ action: 'changeUser', whom: 'unknown-to-anna' })
})

describe('whether a change could be made', () => {
  const check = (by: Client, method: string, address: string, which: string[], data: object) =>
    outcome(by.call(method, `${address}?check=true`, { what: 'user', which, data }))
  const checkNew = (data: object) => check(app.admin, 'POST', API.users, [], data)
  const own = () => `${API.users}/${annaId}`

  test('a check of a change needs no own password, and changes nothing', async () => {
    const before = await list()
    const { perm } = await find(annaId)
    expect(await checkNew({ username: 'new', password: PASSWORD, perm })).toBe('204')
    expect(await checkNew({ username: 'new', password: 'short', perm })).toBe('400 badRequest')
    expect(await checkNew({ username: '', password: PASSWORD, perm })).toBe('400 badRequest')
    expect(await checkNew({ username: 'anna', password: PASSWORD })).toBe('409 usernameTaken')
    const password = { password: 'another long password' }
    expect(await check(app.anna, 'PUT', own(), ['password'], password)).toBe('204')
    expect(await check(app.anna, 'PUT', own(), ['password'], { password: 'short' })).toBe(
      '400 badRequest',
    )
    const name = { username: 'admin' }
    expect(await check(app.admin, 'PUT', own(), ['username'], name)).toBe('409 usernameTaken')
    expect(await list()).toEqual(before)
    expect(await outcome(app.anna.call('GET', own()))).toBe('200')
  })

  test('a check of a change is no way around rights', async () => {
    const data = { username: 'new', password: PASSWORD }
    expect(await check(app.anna, 'POST', API.users, [], data)).toBe('403 forbidden')
    expect(await check(app.anna, 'PUT', `${API.users}/1`, ['locale'], { locale: 'de' })).toBe(
      '403 forbidden',
    )
    expect(await check(app.anonymous, 'POST', API.users, [], data)).toBe('401 unauthenticated')
    const perm = permissionsOf('download')
    expect(await check(app.admin, 'PUT', `${API.users}/1`, ['perm'], { perm })).toBe(
      '403 forbidden',
    )
  })
})

describe('one’s own preferences', () => {
  test('users’ own preferences are changed without a password, and nothing else with them @spec-7.35', async () => {
    const anna = await signIn(app.url, 'anna', PASSWORD)
    const data = {
      id: annaId,
      sorting: { by: 'size', asc: false },
      viewMode: 'mosaic',
      perm: { admin: true },
      scope: '/',
    }
    expect(await put(anna, annaId, ['sorting', 'viewMode'], data)).toBe('200')
    const user = await find(annaId)
    expect(user).toMatchObject({
      sorting: { by: 'size', asc: false },
      viewMode: 'mosaic',
      scope: '/anna',
      perm: { admin: false },
    })
    expect(await outcome(anna.call('GET', `${API.resources}/`))).toBe('200')
  })

  test('preferences that are not valid are refused by name', async () => {
    const refused = async (which: string, data: object) => {
      const answer = await app.anna.call('PUT', `${API.users}/${annaId}`, {
        what: 'user',
        which: [which],
        data,
      })
      return `${answer.status} ${await answer.text()}`
    }
    expect(await refused('viewMode', { viewMode: 'huge' })).toMatch(/^400 .*viewMode/)
    expect(await refused('sorting', { sorting: { by: 'colour' } })).toMatch(/^400 .*sorting\.by/)
    expect(await refused('locale', { locale: 'en\u001b[2J' })).toMatch(/^400 .*locale/)
    expect(await refused('aceEditorTheme', { aceEditorTheme: '\u009b2J' })).toMatch(
      /^400 .*aceEditorTheme/,
    )
    expect(await refused('nonsense', {})).toMatch(/^400 .*nonsense/)
    expect(await refused('locale', { id: 1, locale: 'de' })).toMatch(/^400 .*another user/)
  })
})

describe('rights', () => {
  test('users cannot extend their own rights, with any spelling of a field @spec-7.35', async () => {
    const data = {
      id: annaId,
      perm: { admin: true },
      scope: '/',
      username: 'root',
      commands: ['sh'],
      rules: [],
      lockPassword: false,
    }
    for (const which of [
      ['perm'],
      ['Perm'],
      ['scope'],
      ['rules'],
      ['commands'],
      ['lockPassword'],
      ['LOCKPASSWORD'],
      ['username'],
      ['all'],
      ['All'],
      [],
    ]) {
      expect(await put(app.anna, annaId, which, data, PASSWORD)).toBe('403 forbidden')
    }
    expect(await find(annaId)).toMatchObject({
      username: 'anna',
      perm: { admin: false },
      scope: '/anna',
      commands: [],
    })
  })

  test('administrators give their own password to change a user @spec-7.35', async () => {
    const change = (currentPassword: string, which = ['perm']) =>
      put(app.admin, annaId, which, { perm: { create: true, download: true } }, currentPassword)
    expect(await change('')).toBe('400 badRequest')
    expect(await change('wrong')).toBe('400 badRequest')
    expect(await change('', [])).toBe('400 badRequest')
    expect(await put(app.admin, annaId, ['lockPassword'], { lockPassword: true })).toBe(
      '400 badRequest',
    )
    expect(await put(app.admin, annaId, ['rules'], { rules: [] })).toBe('400 badRequest')
    const anna = await signIn(app.url, 'anna', PASSWORD)
    expect(await change(adminPassword)).toBe('200')
    expect((await find(annaId)).perm).toMatchObject({ create: true, delete: false })
    expect(await outcome(anna.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
  })

  test('a rule that does not compile, and sharing without downloading, are refused', async () => {
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
    expect(await put(app.admin, annaId, ['rules'], { rules }, adminPassword)).toBe('400 badRequest')
    expect(await put(app.admin, annaId, ['perm'], { perm: { share: true } }, adminPassword)).toBe(
      '400 badRequest',
    )
    expect((await find(annaId)).rules).toEqual([])
  })

  test('the last administrator stays an administrator @spec-7.36 @spec-11.23', async () => {
    expect(await put(app.admin, 1, ['perm'], { perm: {} }, adminPassword)).toBe('403 forbidden')
    const gone = app.admin.call('DELETE', `${API.users}/1`, { current_password: adminPassword })
    expect(await outcome(gone)).toBe('403 forbidden')
    expect(await find(1)).toMatchObject({ perm: { admin: true } })
  })
})

describe('making and removing', () => {
  test('only administrators make users, with their password; the answer says where @spec-7.34 @spec-11.22', async () => {
    const data = { username: 'bert', password: PASSWORD, scope: '/bert', perm: { create: true } }
    expect(await outcome(post(app.anonymous, data))).toBe('401 unauthenticated')
    expect(await outcome(post(app.admin, data))).toBe('400 badRequest')
    expect(await outcome(post(app.admin, data, adminPassword, ['all']))).toBe('400 badRequest')
    const answer = await post(app.admin, { ...data, id: 1 }, adminPassword)
    expect(`${answer.status} ${answer.headers.get('location')}`).toMatch(
      /^201 \/settings\/users\/\d+$/,
    )
    const id = Number(answer.headers.get('location')?.split('/').at(-1))
    expect(id).not.toBe(1)
    expect(await find(id)).toMatchObject({
      username: 'bert',
      scope: '/bert',
      perm: { create: true, delete: false },
    })
    expect(await outcome(post(app.admin, data, adminPassword))).toBe('409 usernameTaken')
    expect(
      await outcome(post(app.admin, { ...data, username: 'x', password: 'short' }, adminPassword)),
    ).toBe('400 badRequest')
  })

  test('users may remove themselves, confirming with their password @spec-7.36', async () => {
    const carl = await app.person('carl')
    const id = (await list()).find(({ username }) => username === 'carl')?.id
    const leave = (body?: object) => outcome(carl.call('DELETE', `${API.users}/${id}`, body))
    expect(await leave()).toBe('400 badRequest')
    expect(await leave({ current_password: 'wrong' })).toBe('400 badRequest')
    expect(await outcome(app.anna.call('DELETE', `${API.users}/${id}`, {}))).toMatch(/^40[13]/)
    expect(await leave({ current_password: PASSWORD })).toBe('200')
    expect(await outcome(carl.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
  })
})

describe('passwords', () => {
  test('a password is changed by giving the old one, which ends every session', async () => {
    const dora = await app.person('dora')
    const id = (await list()).find(({ username }) => username === 'dora')?.id ?? 0
    const next = 'a different long one'
    expect(await put(dora, id, ['password'], { password: next }, 'wrong')).toBe('400 badRequest')
    expect(await put(dora, id, ['Password'], { password: next })).toBe('400 badRequest')
    expect(await put(dora, id, ['password'], { password: 'short' }, PASSWORD)).toBe(
      '400 badRequest',
    )
    expect(await put(dora, id, ['password'], { password: next }, PASSWORD)).toBe('200')
    expect(await outcome(dora.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    await signIn(app.url, 'dora', next)
  })

  test('a locked password is for administrators to change', async () => {
    const emil = await app.person('emil', '--lock-password')
    const id = (await list()).find(({ username }) => username === 'emil')?.id ?? 0
    expect(await put(emil, id, ['password'], { password: 'another long one' }, PASSWORD)).toBe(
      '403 forbidden',
    )
    expect(
      await put(app.admin, id, ['password'], { password: 'another long one' }, adminPassword),
    ).toBe('200')
  })

  test('an empty password is refused, and nothing else is changed with one that is refused', async () => {
    const fay = await app.person('fay')
    const id = (await list()).find(({ username }) => username === 'fay')?.id ?? 0
    const change = (by: Client, which: string[], password: string, own: string) =>
      put(by, id, which, { password, locale: 'de', scope: '/fay' }, own)
    expect(await change(fay, ['password'], '', PASSWORD)).toBe('400 badRequest')
    expect(await change(app.admin, ['password', 'locale'], '', adminPassword)).toBe(
      '400 badRequest',
    )
    expect(await change(app.admin, ['all'], 'short', adminPassword)).toBe('400 badRequest')
    expect(await outcome(post(app.admin, { username: 'gus', password: '' }, adminPassword))).toBe(
      '400 badRequest',
    )
    expect(await find(id)).toMatchObject({ locale: '', scope: '/' })
    await signIn(app.url, 'fay', PASSWORD)
  })

  test('a password is set with all the other changes, or nothing is', async () => {
    await app.person('hanna')
    const id = (await list()).find(({ username }) => username === 'hanna')?.id ?? 0
    const next = 'another quite long one'
    const taken = { username: 'anna', password: next }
    expect(await put(app.admin, id, ['username', 'password'], taken, adminPassword)).toBe(
      '409 usernameTaken',
    )
    const hanna = await signIn(app.url, 'hanna', PASSWORD)
    const both = { username: 'hanna maria', password: next }
    expect(await put(app.admin, id, ['username', 'password'], both, adminPassword)).toBe('200')
    expect(await outcome(hanna.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
    await signIn(app.url, 'hanna maria', next)
  })
})

describe('the own password', () => {
  test('a user’s own password is not found by trying, one after the other or all at once', async () => {
    const ida = await app.person('ida')
    const id = (await list()).find(({ username }) => username === 'ida')?.id ?? 0
    const guess = (password: string) =>
      put(ida, id, ['password'], { password: 'yet another long one' }, password)
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => guess(`guess${turn}`)),
    )
    expect(outcomes.filter((one) => one === '400 badRequest')).toHaveLength(8)
    expect(new Set(outcomes)).toEqual(new Set(['400 badRequest', '429 tooMany']))
    expect(await guess(PASSWORD)).toBe('429 tooMany')
    const leave = ida.call('DELETE', `${API.users}/${id}`, { current_password: PASSWORD })
    expect(await outcome(leave)).toBe('429 tooMany')
    // Others are not slowed by it, and ida may sign in.
    expect(await put(app.admin, id, ['lockPassword'], { lockPassword: false }, adminPassword)).toBe(
      '200',
    )
    await signIn(app.url, 'ida', PASSWORD)
  })
})
