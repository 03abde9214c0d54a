/** The cookie that signs links and pictures (docs/decisions.md 7). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API } from '#wire/routes.ts'
import { outcome, signIn } from '../support/client.ts'
import { openTestApp, PASSWORD, type TestApp } from '../support/test-app.ts'

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

test('the cookie is set by the server at sign-in and renewal, for the API alone and for no script', async () => {
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
  test('a client signs out by dropping its own cookie: the server’s cookie alone opens nothing then', async () => {
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    expect(await look(token, token)).toBe('200')
    expect(await look(token)).toBe('401 unauthenticated')
    // It asks the API with the token in the header, and may go on elsewhere.
    const other = { 'X-Auth': token, Cookie: `auth=${token}` }
    expect(await outcome(app.anonymous.call('GET', `${API.resources}/`, undefined, other))).toBe(
      '200',
    )
  })

  test('a client with its own cookie is known by its calls, before it shows a picture', async () => {
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

  test('a cookie of an earlier session does not make a client one with its own cookie', async () => {
    const earlier = await signIn(app.url, 'anna', PASSWORD)
    const { token } = await signIn(app.url, 'anna', PASSWORD)
    expect(await look(token, earlier.token)).toBe('200')
    expect(await look(token, '')).toBe('200')
    expect(await look(token)).toBe('200')
  })
})
