/** The first entries of a large folder are sent before the others are read, to a client that accepts lines. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { LINES_TYPE, type Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const FILES = 6000
const FOLDERS = ['zoo', 'ant', '.hidden']
const FIRST = 256
const BIG = `${API.resources}/big/`

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  for (const name of [...FOLDERS, '../small']) {
    mkdirSync(join(app.root, 'anna', 'big', name), { recursive: true })
  }
  for (let number = 0; number < FILES; number += 1) {
    writeFileSync(join(app.root, 'anna', 'big', `file ${number}.txt`), 'x'.repeat(number % 7))
  }
})
afterAll(() => app.stop())

/** A request that accepts lines. */
function lines(by: Client, address = BIG, headers: Record<string, string> = {}) {
  return by.call('GET', address, undefined, {
    Accept: LINES_TYPE,
    'Accept-Encoding': 'identity',
    ...headers,
  })
}

const namesOf = ({ items }: Listing) => items.map(({ name }) => name)

async function plain(
  by: Client,
  address = BIG,
): Promise<{ listing: Listing; etag: string | null }> {
  const response = await by.call('GET', address)
  const listing = (await response.json()) as Listing
  return { listing, etag: response.headers.get('etag') }
}

test('a large folder is sent in two lines: its first entries, and all with the tag', async () => {
  const response = await lines(app.anna)
  expect(response.headers.get('content-type')).toBe(LINES_TYPE)
  expect(response.headers.get('etag')).toBeNull()
  const [first = '', whole = '', ...more] = (await response.text()).split('\n')
  expect(more).toEqual([])
  const { listing, etag } = await plain(app.anna)
  expect(JSON.parse(whole)).toEqual({ etag, ...listing })
  const early = JSON.parse(first) as Listing
  expect(early.items).toEqual(listing.items.slice(0, FIRST))
  expect(namesOf(early).slice(0, 5)).toEqual(['.hidden', 'ant', 'zoo', 'file 0.txt', 'file 1.txt'])
})

test('the first entries have the order of the names; other orders have no first entries', async () => {
  const address = `${BIG}?by=name&asc=false`
  const [first = ''] = (await (await lines(app.anna, address)).text()).split('\n')
  const { listing } = await plain(app.anna, address)
  expect(namesOf(JSON.parse(first))).toEqual(namesOf(listing).slice(0, FIRST))
  const bySize = await lines(app.anna, `${BIG}?by=size&asc=true`)
  expect(bySize.headers.get('content-type')).toStartWith('application/json')
  expect(await bySize.json()).toEqual((await plain(app.anna, `${BIG}?by=size&asc=true`)).listing)
})

test('the first entries are compressed with the others', async () => {
  const response = await fetch(`${app.url}${BIG}`, {
    headers: { 'X-Auth': app.anna.token, Accept: LINES_TYPE, 'Accept-Encoding': 'gzip' },
    decompress: false,
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const text = gunzipSync(await response.bytes()).toString()
  expect(text).toBe(await (await lines(app.anna)).text())
})

test('entries that a rule hides are not among the first ones', async () => {
  await app.person('ruled', '--scope', '/anna')
  await app.runCommand('rules', 'add', '/big/ant', '--user', 'ruled')
  const ruled = await signIn(app.url, 'ruled', PASSWORD)
  const [first = ''] = (await (await lines(ruled)).text()).split('\n')
  expect(namesOf(JSON.parse(first)).slice(0, 3)).toEqual(['.hidden', 'zoo', 'file 0.txt'])
})

test('links to folders are among the folders that come first, and other links are not', async () => {
  const big = join(app.root, 'anna', 'big')
  const links = { beta: 'zoo', 'file 0.md': 'file 1.txt', lost: 'nowhere', out: '/etc', yak: 'ant' }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(big, name))
  for (const address of [BIG, `${BIG}?by=name&asc=false`]) {
    const [first = ''] = (await (await lines(app.anna, address)).text()).split('\n')
    const early = JSON.parse(first) as Listing
    const { listing } = await plain(app.anna, address)
    expect(early.items).toEqual(listing.items.slice(0, FIRST))
    const folders = early.items.filter(({ isDir }) => isDir).map(({ name }) => name)
    expect(folders.toSorted()).toEqual(['.hidden', 'ant', 'beta', 'yak', 'zoo'])
    expect(namesOf(early).slice(0, 5)).toEqual(folders)
  }
  for (const name of Object.keys(links)) rmSync(join(big, name))
})

test('a folder with very many links is sent as a whole', async () => {
  const big = join(app.root, 'anna', 'big')
  const links = Array.from({ length: 1001 }, (_, number) => join(big, `link ${number}`))
  for (const link of links) symlinkSync('ant', link)
  const response = await lines(app.anna)
  expect(response.headers.get('content-type')).toStartWith('application/json')
  expect(await response.json()).toEqual((await plain(app.anna)).listing)
  for (const link of links) rmSync(link)
})

test('a folder that is not large, and a client with a version of it, get the listing as usual', async () => {
  const small = await lines(app.anna, `${API.resources}/small/`)
  expect(small.headers.get('content-type')).toStartWith('application/json')
  expect(small.headers.get('etag')).not.toBeNull()
  const { etag } = await plain(app.anna)
  expect((await lines(app.anna, BIG, { 'If-None-Match': etag ?? '' })).status).toBe(304)
})

test('clients that disconnect after the first line do not block later requests', async () => {
  for (let visit = 0; visit < 40; visit += 1) {
    const reader = (await lines(app.anna)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  const response = await lines(app.anna)
  expect((await response.text()).split('\n')).toHaveLength(2)
})
