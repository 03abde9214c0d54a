import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchHit } from '#server/files/search/search-hit.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna', 'sub', 'deep report'), { recursive: true })
  writeFileSync(join(app.root, 'anna', 'sub', 'Report #1.pdf'), '')
  writeFileSync(join(app.root, 'anna', 'sub', 'deep report', 'photo.jpg'), '')
  writeFileSync(join(app.root, 'report of others.txt'), '')
  symlinkSync('.', join(app.root, 'anna', 'report loop'))
})
afterAll(() => app.stop())

async function hits(by: Client, path: string, query: string): Promise<SearchHit[]> {
  const answer = await by.call('GET', `${API.search}${path}?query=${encodeURIComponent(query)}`)
  const lines = (await answer.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

test('a search is 401 without a session; users find their files, administrators all files', async () => {
  expect(await outcome(app.anonymous.call('GET', `${API.search}/?query=x`))).toBe(
    '401 unauthenticated',
  )
  expect(await hits(app.anna, '/', 'report')).toEqual([
    { dir: true, path: 'report loop' },
    { dir: false, path: 'sub/Report #1.pdf' },
    { dir: true, path: 'sub/deep report' },
  ])
  expect((await hits(app.admin, '/', 'others')).map(({ path }) => path)).toEqual([
    'report of others.txt',
  ])
})

test('a search finds what is below its folder, by type too, and nothing where nothing is @spec-7.43', async () => {
  expect(await hits(app.anna, '/sub/', 'type:image')).toEqual([
    { dir: false, path: 'deep report/photo.jpg' },
  ])
  expect(await hits(app.anna, '/missing/', 'x')).toEqual([])
})

test('rules hide what they deny, with everything below', async () => {
  const rules = [{ regex: false, allow: false, path: '/anna/sub/deep report', regexp: null }]
  await app.admin.call('PUT', API.settings, { rules })
  expect((await hits(app.admin, '/', 'report')).map(({ path }) => path)).not.toContain(
    'anna/sub/deep report',
  )
  expect(await hits(app.admin, '/', 'photo')).toEqual([])
})
