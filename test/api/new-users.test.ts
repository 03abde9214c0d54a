/** New users: their home folder and their rights (docs/api.md 1.12, 4.4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const add = (data: object) =>
  app.admin.call('POST', API.users, {
    what: 'user',
    which: [],
    current_password: app.server.password,
    data: { password: PASSWORD, ...data },
  })
const rights = { perm: { create: true, download: true } }
const known = async (): Promise<User[]> => (await app.admin.call('GET', API.users)).json()

describe('the folder', () => {
  test('a home folder is created with its parent folders, and is the root of its user', async () => {
    expect((await add({ username: 'lea', scope: '/people/lea', ...rights })).status).toBe(201)
    expect(statSync(join(app.root, 'people/lea')).mode & 0o777).toBe(0o750)
    const lea = await signIn(app.url, 'lea', PASSWORD)
    expect(await outcome(lea.call('GET', `${API.resources}/`))).toBe('200')
    expect(await outcome(lea.call('POST', `${API.resources}/a.txt`, 'a'))).toBe('200')
    expect(existsSync(join(app.root, 'people/lea/a.txt'))).toBe(true)
  })

  test('an existing home folder stays unchanged', async () => {
    mkdirSync(join(app.root, 'shared'))
    writeFileSync(join(app.root, 'shared', 'old.txt'), 'old')
    for (const username of ['one', 'two']) {
      expect((await add({ username, scope: '/shared', ...rights })).status).toBe(201)
    }
    const two = await signIn(app.url, 'two', PASSWORD)
    expect(await outcome(two.call('GET', `${API.resources}/old.txt`))).toBe('200')
  })

  test('no user is added if the home folder cannot be created', async () => {
    writeFileSync(join(app.root, 'file'), '')
    expect(await outcome(add({ username: 'nowhere', scope: '/file/x', ...rights }))).toBe(
      '409 notDirectory',
    )
    expect((await known()).some(({ username }) => username === 'nowhere')).toBe(false)
  })

  test('the home folder of a user added by the command line is made at the first sign-in, only once', async () => {
    const ida = await app.person('ida', '--scope', '/from/outside')
    expect(await outcome(ida.call('GET', `${API.resources}/`))).toBe('200')
    rmSync(join(app.root, 'from'), { recursive: true })
    const again = await signIn(app.url, 'ida', PASSWORD)
    expect(await outcome(again.call('GET', `${API.resources}/`))).toBe('404 notFound')
    expect(existsSync(join(app.root, 'from'))).toBe(false)
  })

  test('a home folder that a user gets later is made at the next sign-in', async () => {
    await add({ username: 'nora', scope: '/nora', ...rights })
    await app.runCommand('users', 'update', 'nora', '--scope', '/moved/by/command')
    const nora = await signIn(app.url, 'nora', PASSWORD)
    expect(await outcome(nora.call('GET', `${API.resources}/`))).toBe('200')
    const id = (await known()).find(({ username }) => username === 'nora')?.id
    const changed = await app.admin.call('PUT', `${API.users}/${id}`, {
      what: 'user',
      which: ['scope'],
      current_password: app.server.password,
      data: { id, scope: '/moved/by/settings' },
    })
    expect(changed.status).toBe(200)
    const again = await signIn(app.url, 'nora', PASSWORD)
    expect(await outcome(again.call('GET', `${API.resources}/`))).toBe('200')
    expect(existsSync(join(app.root, 'moved/by/settings'))).toBe(true)
  })

  test('the home folder of a user who signs up is the scope of the default settings', async () => {
    const settings = await (await app.admin.call('GET', API.settings)).json()
    const open = { signup: true, defaults: { ...settings.defaults, scope: '/guests/all' } }
    expect((await app.admin.call('PUT', API.settings, open)).status).toBe(200)
    const form = { username: 'guest', password: PASSWORD }
    expect((await app.anonymous.call('POST', API.signup, form)).status).toBe(200)
    expect(statSync(join(app.root, 'guests/all')).isDirectory()).toBe(true)
    const guest = await signIn(app.url, 'guest', PASSWORD)
    expect(await outcome(guest.call('GET', `${API.resources}/`))).toBe('200')
  })
})

describe('rights that are not granted', () => {
  test.each([
    ['none of them', {}],
    ['an empty list', { perm: {} }],
  ])('a new user without granted rights has none: %s', async (name, data) => {
    const username = name.replaceAll(' ', '-')
    expect((await add({ username, scope: '/', ...data })).status).toBe(201)
    const made = (await known()).find((user) => user.username === username)
    expect(Object.values(made?.perm ?? {})).not.toContain(true)
    expect(made?.commands).toEqual([])
    const person = await signIn(app.url, username, PASSWORD)
    expect(await outcome(person.call('POST', `${API.resources}/x.txt`, 'x'))).toBe('403 forbidden')
  })

  test('a new user has the rights that are sent as true, and no others', async () => {
    await add({ username: 'some', scope: '/', perm: { rename: true }, commands: ['git'] })
    const made = (await known()).find((user) => user.username === 'some')
    expect(made?.perm).toMatchObject({ rename: true, create: false, download: false })
    expect(made?.commands).toEqual(['git'])
  })
})
