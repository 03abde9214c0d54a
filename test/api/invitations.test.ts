/** Invitations: links with which users choose the password of their account (docs/api.md 24). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const CHOSEN = 'northern lights 26'
const own = () => ({ current_password: app.server.password })
const somebody = (username: string) => ({ data: { username, scope: `/${username}` } })
const invite = (body: object, by: Client = app.admin) => by.call('POST', API.invitations, body)
const show = (token: string) => app.anonymous.call('POST', API.invitation, { token })
const accept = (token: string, password = CHOSEN) =>
  app.anonymous.call('POST', API.acceptInvitation, { token, password })

async function invited(username: string): Promise<{ token: string; userID: number }> {
  const answer = await invite({ ...own(), ...somebody(username) })
  expect(answer.status).toBe(201)
  return answer.json()
}

async function answerOf(answer: Promise<Response>): Promise<string> {
  const { status, headers } = await answer
  return `${status} ${headers.get('x-fault')} ${await (await answer).text()}`
}

test('only administrators invite, and confirm with their own password @spec-7.37', async () => {
  const body = { ...own(), ...somebody('nina') }
  expect(await outcome(invite(body, app.anonymous))).toBe('401 unauthenticated')
  expect(await outcome(invite({ ...body, current_password: PASSWORD }, app.anna))).toBe(
    '403 forbidden',
  )
  expect(await outcome(invite({ ...body, current_password: 'wrong' }))).toBe('400 badRequest')
  expect(await outcome(invite({ userID: 2, current_password: 'wrong' }))).toBe('400 badRequest')
  expect(await outcome(invite(own()))).toBe('400 badRequest')
  expect(await outcome(invite({ ...body, userID: 1 }))).toBe('400 badRequest')
  expect(await outcome(invite({ ...own(), userID: 999 }))).toBe('404 notFound')
  expect(await outcome(invite({ ...own(), ...somebody('anna') }))).toBe('409 usernameTaken')
  expect(await outcome(app.anonymous.call('GET', API.invitations))).toBe('401 unauthenticated')
  expect(await outcome(app.anna.call('GET', API.invitations))).toBe('403 forbidden')
  expect(await outcome(app.anna.call('DELETE', `${API.invitations}/1`))).toBe('403 forbidden')
  expect(await (await app.admin.call('GET', API.invitations)).json()).toEqual([])
})

describe('an invitation', () => {
  test('an invited user chooses a password and is signed in, once @spec-7.37', async () => {
    const { token, userID } = await invited('ida')
    const listed = await (await app.admin.call('GET', API.invitations)).json()
    expect(listed).toEqual([{ userID, username: 'ida', expires: expect.any(Number) }])
    expect(await (await show(token)).json()).toEqual({ username: 'ida', minimumPasswordLength: 12 })

    expect(await outcome(accept(token, 'short'))).toBe('400 badRequest')
    const entered = await accept(token)
    expect(entered.headers.get('set-cookie')).toContain('HttpOnly')
    const session = await entered.text()
    const ida = await fetch(`${app.url}${API.resources}/`, { headers: { [TOKEN_HEADER]: session } })
    expect(ida.status).toBe(200)
    await signIn(app.url, 'ida', CHOSEN)

    expect(await (await app.admin.call('GET', API.invitations)).json()).toEqual([])
    expect(await outcome(accept(token, 'another long one'))).toBe('404 notFound')
    await signIn(app.url, 'ida', CHOSEN)
  })

  test('used, withdrawn and invented invitations get the same response @spec-7.37', async () => {
    const [used, withdrawn] = [await invited('una'), await invited('wim')]
    await accept(used.token)
    await app.admin.call('DELETE', `${API.invitations}/${withdrawn.userID}`)
    const never = 'A'.repeat(used.token.length)
    for (const ask of [show, accept]) {
      const answers = await Promise.all(
        [used.token, withdrawn.token, never].map((token) => answerOf(ask(token))),
      )
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toStartWith('404 notFound')
    }
  })

  test('an invitation ends with a newer one, with another password, and with the account @spec-7.37', async () => {
    const first = await invited('olaf')
    const second = await (await invite({ ...own(), userID: first.userID })).json()
    expect(await outcome(show(first.token))).toBe('404 notFound')
    expect(await outcome(show(second.token))).toBe('200')
    await app.runCommand('users', 'update', 'olaf', '--password', CHOSEN)
    expect(await outcome(show(second.token))).toBe('404 notFound')

    const third = await invited('tove')
    const removal = app.admin.call('DELETE', `${API.users}/${third.userID}`, own())
    expect(await outcome(removal)).toBe('200')
    expect(await outcome(accept(third.token))).toBe('404 notFound')
  })

  test('an accepted invitation ends the earlier sessions of the account', async () => {
    const old = await app.person('pia')
    const users: { id: number; username: string }[] = await (
      await app.admin.call('GET', API.users)
    ).json()
    const userID = users.find(({ username }) => username === 'pia')?.id
    const { token } = await (await invite({ ...own(), userID })).json()
    expect(await outcome(old.call('GET', `${API.resources}/`))).toBe('200')
    expect(await outcome(accept(token))).toBe('200')
    expect(await outcome(old.call('GET', `${API.resources}/`))).toBe('401 unauthenticated')
  })

  test('the token of an invitation is not in the database: only its digest is @spec-7.37', async () => {
    const { token } = await invited('sam')
    const folder = join(app.database, '..')
    const stored = readdirSync(folder)
      .filter((name) => name.startsWith('filemgr.db'))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
    expect(stored).not.toContain(token)
    expect(stored).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
  })

  test('an invitation is recorded when it is created, and when it is accepted', async () => {
    const { token } = await invited('rut')
    await accept(token)
    await app.admin.call('DELETE', `${API.invitations}/1`)
    const acts = await (await app.admin.call('GET', `${API.audit}?limit=10`)).text()
    const named = JSON.parse(acts).filter(({ username }: { username: string }) => username !== '')
    expect(named.slice(0, 3)).toMatchObject([
      { action: 'uninvite', username: 'admin', whom: 'admin', status: 404 },
      { action: 'acceptInvitation', username: 'rut', status: 200 },
      { action: 'invite', username: 'admin', whom: 'rut', status: 201 },
    ])
    expect(acts).not.toContain(token)
  })
})

test('guesses of invitations are throttled @spec-7.37', async () => {
  const answers: string[] = []
  for (let tries = 0; tries < 40; tries += 1) answers.push(await outcome(show(`guess-${tries}`)))
  const refused = answers.indexOf('429 tooMany')
  expect(refused).toBeGreaterThan(0)
  expect(new Set(answers.slice(0, refused))).toEqual(new Set(['404 notFound']))
})
