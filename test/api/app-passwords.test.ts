/** App passwords: programs and scripts sign in with them, for a part of what their user may do. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '#server/http/app.ts'
import type { SessionRoute } from '#server/http/context/context.ts'
import { APP_PERMISSIONS, type AppPassword, type NewAppPassword } from '#wire/api/app-passwords.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, clientWith, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  for (const folder of ['anna/music', 'anna/private'])
    mkdirSync(join(app.root, folder), { recursive: true })
  writeFileSync(join(app.root, 'anna/music/song.txt'), 'song')
  writeFileSync(join(app.root, 'anna/private/diary.txt'), 'diary')
})
afterAll(() => app.stop())

const ALL = { name: 'all', permissions: [...APP_PERMISSIONS], current_password: PASSWORD }
const at = (path: string) => `${API.resources}${path}`

async function make(who: Client, fields: object = {}): Promise<NewAppPassword> {
  const answer = await who.call('POST', API.appPasswords, { ...ALL, ...fields })
  expect(answer.status, await answer.clone().text()).toBe(201)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return (await answer.json()) as NewAppPassword
}
const listed = async (who: Client) =>
  (await (await who.call('GET', API.appPasswords)).json()) as AppPassword[]
const using = (password: string) => clientWith(app.url, password)
const withAuthorization = (value: string) => ({
  call: (method: string, address: string) =>
    app.anonymous.call(method, address, undefined, { Authorization: value }),
})
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('a request with an app password', () => {
  test('is accepted in X-Auth, as Bearer and as Basic, as a person types it', async () => {
    const { password } = await make(app.anna)
    expect(await outcome(using(password).call('GET', at('/')))).toBe('200')
    const typed = password.toUpperCase().replaceAll('-', '')
    for (const value of [
      `Bearer ${password}`,
      `bearer ${typed}`,
      basic(`anna:${password}`),
      basic(`:${typed}`),
    ]) {
      expect(await outcome(withAuthorization(value).call('GET', at('/'))), value).toBe('200')
    }
  })

  test('is not made with a field that is written wrongly, which would give more rights than meant', async () => {
    const body = { ...ALL, path: '/music' }
    const answer = await app.anna.call('POST', API.appPasswords, body)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('The value has unknown fields: path.')
  })

  test('is refused with the name of another user, a mistake, or one that is unknown', async () => {
    const { password } = await make(app.anna)
    const wrong = `${password.slice(0, -1)}${password.endsWith('0') ? '2' : '0'}`
    for (const value of [basic(`admin:${password}`), `Bearer ${wrong}`, 'Bearer fm_']) {
      expect(await outcome(withAuthorization(value).call('GET', at('/'))), value).toBe(
        '401 unauthenticated',
      )
    }
    const otherUser = withAuthorization(basic(`admin:${password}`))
    expect(await (await otherUser.call('GET', at('/'))).text()).toContain(
      'The user name or the app password is wrong',
    )
    const mistake = await using(wrong).call('GET', at('/'))
    expect(await mistake.text()).toContain('typing mistake')
  })

  test('other credentials in Authorization are for a proxy, and change nothing', async () => {
    const headers = { Authorization: basic('anna:secret of the proxy') }
    expect(await outcome(app.anna.call('GET', at('/'), undefined, headers))).toBe('200')
    const refused = await app.anonymous.call('GET', at('/'), undefined, headers)
    expect([refused.status, await refused.text()]).toEqual([
      401,
      expect.stringContaining('The user name or the password is wrong.'),
    ])
    // Also with the right password of the account, which tells nothing about it.
    const own = { Authorization: basic(`anna:${PASSWORD}`) }
    const again = await app.anonymous.call('GET', at('/'), undefined, own)
    expect([again.status, await again.text()]).toEqual([
      401,
      expect.stringContaining('Programs sign in with an app password'),
    ])
  })

  test('may do only what both the user and the app password may', async () => {
    const { password } = await make(app.anna, { permissions: ['download', 'create'] })
    const script = using(password)
    expect(await outcome(script.call('POST', at('/from-script.txt'), 'x'))).toBe('200')
    expect(await outcome(script.call('GET', `${API.raw}/from-script.txt`))).toBe('200')
    expect(await outcome(script.call('DELETE', at('/from-script.txt')))).toBe('403 forbidden')
    expect(await outcome(script.call('PUT', at('/from-script.txt'), 'y'))).toBe('403 forbidden')
    expect(readFileSync(join(app.root, 'anna/from-script.txt'), 'utf8')).toBe('x')
  })

  test('never administers and runs no commands, also for an administrator', async () => {
    const { password, permissions } = await make(app.admin)
    expect(permissions).toEqual([...APP_PERMISSIONS])
    const refused = await app.admin.call('POST', API.appPasswords, {
      ...ALL,
      permissions: ['admin'],
    })
    expect(refused.status).toBe(400)
    for (const path of [API.users, API.settings, `${API.sessions}?all=true`, API.status]) {
      expect(await outcome(using(password).call('GET', path)), path).toBe('403 forbidden')
    }
  })

  test('is limited to its folder, whatever is in the path', async () => {
    const { password, folder } = await make(app.anna, { folder: '/music' })
    expect(folder).toBe('/music')
    const player = using(password)
    const listing = (await (await player.call('GET', at('/'))).json()) as {
      items: { name: string }[]
    }
    expect(listing.items.map(({ name }) => name)).toEqual(['song.txt'])
    expect(await (await player.call('GET', `${API.raw}/song.txt`)).text()).toBe('song')
    for (const path of [
      '/private/',
      '/../private/',
      '/..%2fprivate%2fdiary.txt',
      '/%2e%2e/private/',
    ]) {
      expect(await outcome(player.call('GET', at(path))), path).toBe('404 notFound')
    }
    expect(await outcome(player.call('POST', at('/new.txt'), 'new'))).toBe('200')
    expect(existsSync(join(app.root, 'anna/music/new.txt'))).toBe(true)
    const move = `${at('/new.txt')}?action=rename&destination=${encodeURIComponent('/../private/x')}`
    await player.call('PATCH', move)
    expect(existsSync(join(app.root, 'anna/private/x'))).toBe(false)
    // What knows other paths than those of the folder.
    for (const path of [API.trash, API.journal, API.shares]) {
      expect(await outcome(player.call('GET', path)), path).toBe('403 forbidden')
    }
  })

  test('obeys the rules of its user, which begin at the root of the user', async () => {
    mkdirSync(join(app.root, 'ruled/music/secret'), { recursive: true })
    writeFileSync(join(app.root, 'ruled/music/secret/a.txt'), 'a')
    const rules = [{ allow: false, regex: false, path: '/music/secret' }]
    const user = { username: 'ruled', password: PASSWORD, scope: '/ruled', rules }
    const perm = { download: true, create: true }
    const body = {
      what: 'user',
      which: [],
      current_password: app.server.password,
      data: { ...user, perm },
    }
    expect((await app.admin.call('POST', API.users, body)).status).toBe(201)
    const own = await signIn(app.url, 'ruled', PASSWORD)
    const { password } = await make(own, { folder: '/music' })
    expect(await outcome(using(password).call('GET', at('/')))).toBe('200')
    expect(await outcome(using(password).call('GET', `${API.raw}/secret/a.txt`))).toBe(
      '403 forbidden',
    )
    const refused = await own.call('POST', API.appPasswords, { ...ALL, folder: '/music/secret' })
    expect(refused.status).toBe(403)
  })

  test('is refused when its folder was moved, deleted or replaced, and the list says so', async () => {
    mkdirSync(join(app.root, 'anna/box'))
    const { id, password } = await make(app.anna, { folder: '/box' })
    renameSync(join(app.root, 'anna/box'), join(app.root, 'anna/other-box'))
    expect(await outcome(using(password).call('GET', at('/')))).toBe('403 forbidden')
    mkdirSync(join(app.root, 'anna/box'))
    expect(await outcome(using(password).call('GET', at('/')))).toBe('403 forbidden')
    expect((await listed(app.anna)).find((each) => each.id === id)).toMatchObject({ isLost: true })
  })

  test('can be undone, and the audit record names it', async () => {
    const { id, password } = await make(app.anna)
    const saved = await using(password).call('PUT', at('/music/song.txt'), 'other')
    const entry = Number(saved.headers.get('x-journal-id'))
    expect(await outcome(using(password).call('POST', `${API.journal}/undo`, { id: entry }))).toBe(
      '200',
    )
    expect(readFileSync(join(app.root, 'anna/music/song.txt'), 'utf8')).toBe('song')
    const records = (await (
      await app.admin.call('GET', `${API.audit}?action=save`)
    ).json()) as object[]
    expect(records).toContainEqual(expect.objectContaining({ session: `app-${id}`, app: 'all' }))
  })

  test('uploads by tus, and continues only its own upload', async () => {
    const { password } = await make(app.anna)
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '4' }
    const begun = await using(password).call('POST', `${API.tus}/tus.txt`, undefined, headers)
    expect(begun.status).toBe(201)
    const patch = {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    }
    const address = new URL(begun.headers.get('location') ?? '', app.url)
    const sent = await using(password).call(
      'PATCH',
      address.pathname + address.search,
      'data',
      patch,
    )
    expect(sent.status).toBe(204)
    expect(readFileSync(join(app.root, 'anna/tus.txt'), 'utf8')).toBe('data')
  })
})

describe('an app password', () => {
  test('is stored as a digest, shown once, and listed with its last use', async () => {
    const { id, password } = await make(app.anna, { name: ' phone ' })
    await app.anonymous.call('GET', at('/'), undefined, {
      'X-Auth': password,
      'User-Agent': 'Player/1',
    })
    const list = await app.anna.call('GET', API.appPasswords)
    const text = await list.text()
    expect(text).not.toContain(password)
    expect(text).not.toContain(password.slice(3, 8))
    const found = (JSON.parse(text) as AppPassword[]).find((each) => each.id === id)
    expect(found).toMatchObject({
      name: 'phone',
      folder: '/',
      paused: false,
      expires: '',
      agent: 'Player/1',
    })
    expect(found?.used).not.toBe('')
  })

  test('needs the password of the account, a name, an end to come and a folder that the user sees', async () => {
    const refused = (fields: object) =>
      outcome(app.anna.call('POST', API.appPasswords, { ...ALL, ...fields }))
    expect(await refused({ current_password: 'wrong' })).toBe('400 badRequest')
    expect(await refused({ current_password: '' })).toBe('400 badRequest')
    expect(await refused({ name: '  ' })).toBe('400 badRequest')
    expect(await refused({ name: 'x'.repeat(101) })).toBe('400 badRequest')
    expect(await refused({ expires: '2020-01-01T00:00:00Z' })).toBe('400 badRequest')
    expect(await refused({ expires: 'tomorrow' })).toBe('400 badRequest')
    expect(await refused({ expires: '2227-01-01T00:00:00Z' })).toBe('400 badRequest')
    expect(await refused({ name: 'x\u001b[31m' })).toBe('400 badRequest')
    expect(await refused({ permissions: [] })).toBe('400 badRequest')
    expect(await refused({ folder: '/nowhere' })).toBe('404 notFound')
    expect(await refused({ folder: '/music/song.txt' })).toBe('409 notDirectory')
  })

  test('gives no access while it is paused, after its end and after its removal', async () => {
    const { id, password } = await make(app.anna)
    const look = () => outcome(using(password).call('GET', at('/')))
    const pause = (paused: boolean) =>
      app.anna.call('PATCH', `${API.appPasswords}/${id}`, { paused })
    expect((await pause(true)).status).toBe(200)
    expect(await look()).toBe('401 unauthenticated')
    expect(await (await pause(false)).json()).toMatchObject({ id, paused: false })
    expect(await look()).toBe('200')
    expect(await outcome(app.anna.call('DELETE', `${API.appPasswords}/${id}`))).toBe('200')
    expect(await look()).toBe('401 unauthenticated')
    const expires = new Date(Date.now() + 400).toISOString()
    const short = await make(app.anna, { expires })
    while (Date.now() <= Date.parse(expires)) await Bun.sleep(50)
    expect(await outcome(using(short.password).call('GET', at('/')))).toBe('401 unauthenticated')
  })

  test('is managed by its user and administrators, and by no other user', async () => {
    const { id } = await make(app.admin)
    const path = `${API.appPasswords}/${id}`
    expect(await outcome(app.anna.call('PATCH', path, { paused: true }))).toBe('404 notFound')
    expect(await outcome(app.anna.call('DELETE', path))).toBe('404 notFound')
    expect(await outcome(app.anna.call('GET', `${API.appPasswords}?all=true`))).toBe(
      '403 forbidden',
    )
    const ofAnna = await make(app.anna)
    const all = (await (
      await app.admin.call('GET', `${API.appPasswords}?all=true`)
    ).json()) as AppPassword[]
    expect(all.find((each) => each.id === ofAnna.id)).toMatchObject({ username: 'anna' })
    expect(await outcome(app.admin.call('DELETE', `${API.appPasswords}/${ofAnna.id}`))).toBe('200')
  })

  test('ends with its user, and has the rights that its user has left', async () => {
    const all = { download: true, create: true, rename: true }
    const user = { username: 'brief', password: PASSWORD, perm: all }
    const body = { what: 'user', which: [], current_password: app.server.password, data: user }
    const created = await app.admin.call('POST', API.users, body)
    expect(created.status).toBe(201)
    const own = await signIn(app.url, 'brief', PASSWORD)
    const { password } = await make(own)
    expect(await outcome(using(password).call('POST', at('/a.txt'), 'a'))).toBe('200')
    const address = created.headers.get('location') ?? ''
    const id = Number(address.split('/').at(-1))
    const perm = { download: true, create: false, rename: false }
    const less = {
      what: 'user',
      which: ['perm'],
      current_password: app.server.password,
      data: { id, perm },
    }
    expect((await app.admin.call('PUT', `${API.users}/${id}`, less)).status).toBe(200)
    expect(await outcome(using(password).call('POST', at('/b.txt'), 'b'))).toBe('403 forbidden')
    // The route of these does not know which permission they need.
    for (const action of ['rename', 'copy']) {
      const change = `${at('/a.txt')}?action=${action}&destination=%2Fc.txt`
      const refused = await outcome(using(password).call('PATCH', change))
      expect([action, refused]).toEqual([action, '403 forbidden'])
    }
    await app.admin.call('DELETE', `${API.users}/${id}`, { current_password: app.server.password })
    expect(await outcome(using(password).call('GET', at('/')))).toBe('401 unauthenticated')
  })

  test('a user has at most 100, and all can be removed at once @limit-104', async () => {
    const own = app.anna
    await own.call('DELETE', API.appPasswords)
    for (let count = 0; count < 100; count += 1) await make(own)
    expect(await outcome(own.call('POST', API.appPasswords, ALL))).toBe('429 tooMany')
    expect(await outcome(own.call('DELETE', API.appPasswords))).toBe('200')
    expect(await listed(own)).toEqual([])
  })
})

describe('the routes', () => {
  const guarded = ROUTES.filter((route): route is SessionRoute => route.needs !== 'anyone')
  const of = (use: SessionRoute['appPassword']) =>
    guarded
      .filter((route) => route.appPassword === use)
      .map(({ method, path }) => `${method} ${path}`)

  test('none that makes a session, an account, a password or a setting takes an app password', async () => {
    const { password } = await make(app.admin)
    for (const route of guarded.filter(({ appPassword }) => appPassword === 'none')) {
      const path = route.path.replace(/:id\{[^}]*\}|:\w+/g, '1').replace('/*', '/x')
      const answer = await fetch(app.url + path, {
        method: route.method,
        headers: { 'X-Auth': password },
      })
      expect(`${route.method} ${path} ${answer.status}`).toBe(`${route.method} ${path} 403`)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('those that take one are these, and no new one without a decision', () => {
    expect(
      of('any').filter(
        (route) =>
          !/resources|raw|tus|batch|search|find|usage|preview|media|subtitle|archive|versions/.test(
            route,
          ),
      ),
    ).toEqual([])
    expect(of('wholeFolder').filter((route) => !/trash|journal|share|events/.test(route))).toEqual(
      [],
    )
    for (const path of [
      API.renew,
      API.users,
      API.sessions,
      API.settings,
      API.appPasswords,
      API.command,
      API.jobs,
    ]) {
      expect(
        guarded.filter((route) => route.path.startsWith(path) && route.appPassword !== 'none'),
      ).toEqual([])
    }
  })

  test('an app password opens no session', async () => {
    const { password } = await make(app.anna)
    const login = await app.anonymous.call('POST', API.login, { username: 'anna', password })
    expect(login.status).toBe(403)
    const cookie = await fetch(app.url + at('/'), { headers: { Cookie: `auth=${password}` } })
    expect(cookie.status).toBe(401)
  })
})
