/** ETags of listings: a listing is sent again only if it has changed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna', 'docs', 'deep'), { recursive: true })
  for (let number = 0; number < 200; number += 1) {
    writeFileSync(join(app.root, 'anna', 'docs', `report ${number}.txt`), 'x')
  }
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', 'docs', name)
/** Whole seconds: the nanoseconds of a time that the system has set could not be restored. */
const setTimes = (...names: string[]) => {
  for (const name of names) utimesSync(disk(name), 1_700_000_000, 1_700_000_000)
}

async function tagOf(by: Client, address = `${API.resources}/docs/`): Promise<string> {
  const answer = await by.call('GET', address)
  expect(answer.status).toBe(200)
  await answer.text()
  return answer.headers.get('etag') ?? ''
}

async function status(by: Client, tag: string, address = `${API.resources}/docs/`) {
  const answer = await by.call('GET', address, undefined, { 'If-None-Match': tag })
  const body = await answer.text()
  expect(answer.headers.get('etag')).not.toBeNull()
  expect(answer.status === 304 ? body : '').toBe('')
  return answer.status
}

test('an unchanged folder answers 304, without a body @spec-7.13', async () => {
  const tag = await tagOf(app.anna)
  expect(tag).toStartWith('W/"')
  expect(await status(app.anna, tag)).toBe(304)
  expect(await status(app.anna, `"other", ${tag}`)).toBe(304)
  expect(await status(app.anna, '"other"')).toBe(200)
})

test('a change of a file changes the tag of the listing, also if all times stay the same @spec-7.13', async () => {
  setTimes('report 1.txt', '')
  const tag = await tagOf(app.anna)
  writeFileSync(disk('report 1.txt'), 'more than before')
  setTimes('report 1.txt', '')
  expect(await status(app.anna, tag)).toBe(200)
})

test('another name of the same length changes the tag, also if the time of the folder stays the same', async () => {
  writeFileSync(disk('deep/aa'), '')
  setTimes('deep')
  const address = `${API.resources}/docs/deep/`
  const tag = await tagOf(app.anna, address)
  const rename = `${API.resources}/docs/deep/aa?action=rename&destination=/docs/deep/bb`
  expect((await app.anna.call('PATCH', rename)).status).toBe(200)
  setTimes('deep')
  expect(await status(app.anna, tag, address)).toBe(200)
})

test('another order and other rules have other tags @spec-7.13', async () => {
  const tag = await tagOf(app.anna)
  expect(await status(app.anna, tag, `${API.resources}/docs/?by=size&asc=false`)).toBe(200)
  const rule = { regex: false, allow: false, path: '/docs/report 7.txt', regexp: null }
  await app.admin.call('PUT', API.settings, {
    rules: [rule],
  })
  expect(await status(app.anna, tag)).toBe(200)
  await app.admin.call('PUT', API.settings, { rules: [] })
  expect(await status(app.anna, tag)).toBe(304)
})

test.each([
  ['zstd', zstdDecompressSync, 'gzip, deflate, br, zstd'],
  ['gzip', gunzipSync, 'gzip;q=0.8, zstd;q=0'],
  [null, (bytes: Uint8Array) => bytes, 'identity'],
] as const)('a long listing is sent with the encoding %p', async (coding, unpacked, accepted) => {
  const answer = await fetch(`${app.url}${API.resources}/docs/`, {
    headers: { 'X-Auth': app.anna.token, 'Accept-Encoding': accepted },
    decompress: false,
  })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  const bytes = await answer.bytes()
  expect(answer.headers.get('content-length')).toBe(`${bytes.length}`)
  const { items } = JSON.parse(Buffer.from(unpacked(bytes)).toString()) as Listing
  expect(items).toHaveLength(201)
  if (coding !== null) expect(bytes.length * 4).toBeLessThan(Buffer.from(unpacked(bytes)).length)
})
