import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import type { SearchHit } from '#wire/search.ts'
import { type Client, outcome } from '../support/client.ts'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  mkdirSync(join(house.root, 'anna', 'sub', 'deep report'), { recursive: true })
  writeFileSync(join(house.root, 'anna', 'sub', 'Report #1.pdf'), '')
  writeFileSync(join(house.root, 'anna', 'sub', 'deep report', 'photo.jpg'), '')
  writeFileSync(join(house.root, 'report of others.txt'), '')
  symlinkSync('.', join(house.root, 'anna', 'report loop'))
})
afterAll(() => house.stop())

async function hits(by: Client, path: string, query: string): Promise<SearchHit[]> {
  const answer = await by.call('GET', `${API.search}${path}?query=${encodeURIComponent(query)}`)
  const lines = (await answer.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

test('nobody 401; people find what is theirs, administrators everything', async () => {
  expect(await outcome(house.nobody.call('GET', `${API.search}/?query=x`))).toBe(
    '401 unauthenticated',
  )
  expect(await hits(house.anna, '/', 'report')).toEqual([
    { dir: true, path: 'report loop' },
    { dir: false, path: 'sub/Report #1.pdf' },
    { dir: true, path: 'sub/deep report' },
  ])
  expect((await hits(house.admin, '/', 'others')).map(({ path }) => path)).toEqual([
    'report of others.txt',
  ])
})

test('below the folder that was asked, by type too, and nothing where nothing is', async () => {
  expect(await hits(house.anna, '/sub/', 'type:image')).toEqual([
    { dir: false, path: 'deep report/photo.jpg' },
  ])
  expect(await hits(house.anna, '/missing/', 'x')).toEqual([])
})

test('rules hide what they deny, with everything below', async () => {
  const rules = [{ regex: false, allow: false, path: '/anna/sub/deep report', regexp: null }]
  await house.admin.call('PUT', API.settings, { rules })
  expect((await hits(house.admin, '/', 'report')).map(({ path }) => path)).not.toContain(
    'anna/sub/deep report',
  )
  expect(await hits(house.admin, '/', 'photo')).toEqual([])
})
