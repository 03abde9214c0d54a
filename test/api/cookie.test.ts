/** The cookie that authenticates requests of links and pictures (docs/decisions.md 7). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--base-url', '/drive'] })
})
afterAll(() => app.stop())

const look = (...cookies: string[]) =>
  outcome(
    app.anonymous.call('GET', `${API.resources}/`, undefined, {
      Cookie: cookies.map((token) => `auth=${token}`).join('; '),
    }),
  )
const setIn = (answer: Response) => answer.headers.getSetCookie()
const credentials = { username: 'anna', password: PASSWORD }

test('the server sets the cookie at sign-in and renewal, only for the API, and hidden from scripts', async () => {
  const login = await app.anonymous.call('POST', API.login, credentials)
  const token = await login.text()
  const expected = (value: string) => [`auth=${value}; Path=/drive/api; HttpOnly; SameSite=Strict`]
  expect(setIn(login)).toEqual(expected(token))
  const renewed = await app.anonymous.call('POST', API.renew, undefined, { 'X-Auth': token })
  expect(setIn(renewed)).toEqual(expected(await renewed.text()))
})

test('the cookie ends with the session, whichever client signs out', async () => {
  const anna = await signIn(app.url, 'anna', PASSWORD)
  expect(await look(anna.token)).toBe('200')
  const gone = await anna.call('POST', API.logout)
  expect(setIn(gone)).toEqual([
    'auth=; Max-Age=0; Path=/drive/api',
    'auth=; Max-Age=0; Path=/drive/',
  ])
  expect(await look(anna.token)).toBe('401 unauthenticated')
})

describe('a client that keeps a cookie of its own, as File Browser’s does', () => {
  test('a client signs out by deleting its own cookie: the server’s cookie alone is refused then', async () => {
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    expect(await look(token, token)).toBe('200')
    expect(await look(token)).toBe('401 unauthenticated')
    // With the token in the header the session continues.
    const other = { 'X-Auth': token, Cookie: `auth=${token}` }
    expect(await outcome(app.anonymous.call('GET', `${API.resources}/`, undefined, other))).toBe(
      '200',
    )
  })

  test('a client with its own cookie is recognized by its API calls, before it requests a picture', async () => {
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    const both = { 'X-Auth': token, Cookie: `auth=${token}; other=1; auth=${token}` }
    await app.anonymous.call('GET', `${API.resources}/`, undefined, both)
    expect(await look(token)).toBe('401 unauthenticated')
  })

  test('a client with its own cookie signs in again', async () => {
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    await look(token, token)
    const again = await signIn(app.url, 'anna', PASSWORD)
    expect(await look(again.token, again.token)).toBe('200')
    expect(await look(again.token)).toBe('401 unauthenticated')
  })

  test('a cookie of an earlier session does not count as a client’s own cookie', async () => {
    const earlier = await signIn(app.url, 'anna', PASSWORD)
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    expect(await look(token, earlier.token)).toBe('200')
    expect(await look(token, '')).toBe('200')
    expect(await look(token)).toBe('200')
  })
})
