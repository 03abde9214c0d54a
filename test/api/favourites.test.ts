/** Favourite folders and recent files of a user (docs/api.md 27). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '#wire/api/entry.ts'
import { API, urls } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const put = (who: Client, paths: unknown) =>
  outcome(who.call('PUT', API.favourites, JSON.stringify(paths)))
const list = async (who: Client) => (await who.call('GET', API.favourites)).json()

test('favourites belong to the user, in the order that the user chooses @spec-7.38', async () => {
  expect(await put(app.anonymous, [])).toBe('401 unauthenticated')
  expect(await outcome(app.anonymous.call('GET', API.favourites))).toBe('401 unauthenticated')
  expect(await list(app.anna)).toEqual([])
  expect(await put(app.anna, ['/b', '/a/', '/b'])).toBe('200')
  expect(await list(app.anna)).toEqual(['/b', '/a'])
  expect(await list(app.admin)).toEqual([])
  expect(await put(app.anna, ['/a'])).toBe('200')
  expect(await list(app.anna)).toEqual(['/a'])
})

test('favourites are valid paths, and their number is limited @limit-85', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `/${at}`)
  expect(await put(app.anna, many.slice(1))).toBe('200')
  expect(await put(app.anna, many)).toBe('400 badRequest')
  expect(await put(app.anna, ['/a\0b'])).toBe('400 badRequest')
  expect(await put(app.anna, 'text')).toBe('400 badRequest')
  expect(
    await put(app.anna, [`/${`${'x'.repeat(200)}/`.repeat(200)}`, '/'.padEnd(60_000, 'y')]),
  ).toBe('400 badRequest')
  expect(await list(app.anna)).toHaveLength(100)
})

test('recent files are those that the user has used, newest first, with their current names @spec-7.38', async () => {
  const path = (name: string) => parsePath(`/${name}`)
  const recent = async (who: Client) =>
    ((await (await who.call('GET', API.recent)).json()) as Entry[]).map(
      (entry): string => entry.path,
    )
  expect(await outcome(app.anonymous.call('GET', API.recent))).toBe('401 unauthenticated')
  for (const name of ['one', 'two', 'three', 'gone']) {
    expect(await outcome(app.anna.call('POST', urls.upload(path(name), false), name))).toBe('200')
  }
  await app.anna.call('GET', urls.raw(path('one')))
  await app.anna.call('PATCH', urls.move(path('two'), { action: 'rename', destination: path('2') }))
  rmSync(join(app.root, 'anna/gone'))
  await app.admin.call('GET', urls.raw(path('anna/three')))
  expect(await recent(app.anna)).toEqual(['/2', '/one', '/three'])
  expect(await recent(app.admin)).toEqual(['/anna/three'])
})
