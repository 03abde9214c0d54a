/** The appearance of the interface for a user, which is stored with the account (docs/api.md 30). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const put = (who: Client, appearance: object) =>
  outcome(who.call('PUT', API.appearance, appearance))
const read = async (who: Client) => (await who.call('GET', API.appearance)).json()

test('the appearance belongs to one user, and is empty until the user chooses something', async () => {
  expect(await outcome(app.anonymous.call('GET', API.appearance))).toBe('401 unauthenticated')
  expect(await put(app.anonymous, { theme: 'dark' })).toBe('401 unauthenticated')
  expect(await read(app.anna)).toEqual({})
  expect(await put(app.anna, { theme: 'dark', density: 'compact' })).toBe('200')
  expect(await read(app.anna)).toEqual({ theme: 'dark', density: 'compact' })
  expect(await read(app.admin)).toEqual({})
  expect(await put(app.anna, { typeColumn: true, folderSizes: false })).toBe('200')
  expect(await read(app.anna)).toEqual({ typeColumn: true, folderSizes: false })
})

test('only known values are stored', async () => {
  const before = await read(app.anna)
  expect(await put(app.anna, { theme: 'pink' })).toBe('400 badRequest')
  expect(await put(app.anna, { density: 1 })).toBe('400 badRequest')
  expect(await put(app.anna, [] as object)).toBe('400 badRequest')
  expect(await read(app.anna)).toEqual(before)
})
