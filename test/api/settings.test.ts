import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const read = async () =>
  (await (await app.admin.call('GET', API.settings)).json()) as GlobalSettings
const put = (settings: object) => app.admin.call('PUT', API.settings, settings)

test('only administrators read and write settings @spec-7.40', async () => {
  for (const method of ['GET', 'PUT']) {
    expect(
      await outcome(app.anonymous.call(method, API.settings, method === 'PUT' ? {} : undefined)),
    ).toBe('401 unauthenticated')
    expect(
      await outcome(app.anna.call(method, API.settings, method === 'PUT' ? {} : undefined)),
    ).toBe('403 forbidden')
  }
  expect(await outcome(put({}))).toBe('200')
})

test('settings hold at once, and what is not sent stays @spec-7.40', async () => {
  const before = await read()
  expect(await outcome(put({ branding: { name: 'Ours' }, tus: { chunkSize: 1000 } }))).toBe('200')
  expect(await read()).toEqual({
    ...before,
    branding: { ...before.branding, name: 'Ours' },
    tus: { ...before.tus, chunkSize: 1000 },
  })
  const page = await (await app.anonymous.call('GET', '/login')).text()
  expect(page).toContain('"Name":"Ours"')
  expect(page).toContain('"chunkSize":1000')
})

test('a global rule holds for all users from the next request on @spec-7.53', async () => {
  await app.anna.call('POST', `${API.resources}/private/x.txt`, 'x')
  const rules = [{ regex: false, allow: false, path: '/private', regexp: null }]
  expect(await outcome(put({ rules }))).toBe('200')
  expect(await outcome(app.anna.call('GET', `${API.resources}/private/x.txt`))).toBe(
    '403 forbidden',
  )
  expect(await outcome(put({ rules: [] }))).toBe('200')
  expect(await outcome(app.anna.call('GET', `${API.resources}/private/x.txt`))).toBe('200')
})

test('an invalid setting is refused by name, and nothing changes', async () => {
  const before = await read()
  const refused: [object, RegExp][] = [
    [{ rules: [{ regex: true, regexp: { raw: '[' } }] }, /does not compile/],
    [{ branding: { theme: 'pink' } }, /branding\.theme/],
    [{ tus: { retryCount: -1 } }, /tus\.retryCount/],
    [{ defaults: { perm: { share: true } } }, /requires the permission to download/],
    [{ signup: 'yes' }, /signup/],
    [{ signup: true, defaults: { scope: '/' } }, /Open sign-up needs a folder/],
  ]
  for (const [settings, words] of refused) {
    const answer = await put(settings)
    expect(`${answer.status} ${await answer.text()}`).toMatch(words)
    expect(answer.status).toBe(400)
  }
  expect(await read()).toEqual(before)
})

test('a zero in the settings means the default', async () => {
  await put({
    minimumPasswordLength: 0,
    userHomeBasePath: '',
    tus: { chunkSize: 0, retryCount: 0 },
  })
  expect(await read()).toMatchObject({
    minimumPasswordLength: 12,
    userHomeBasePath: '/users',
    tus: { chunkSize: 10 * 2 ** 20, retryCount: 5 },
    commands: { before_upload: [], after_delete: [] },
  })
  await put({ tus: { chunkSize: 0, retryCount: 3 } })
  expect((await read()).tus).toEqual({ chunkSize: 10 * 2 ** 20, retryCount: 3 })
})
