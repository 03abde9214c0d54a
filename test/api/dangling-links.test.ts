/** A link whose target does not exist is refused with the same sentence in every way of reading it. Links to themselves are shown. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const SENTENCE = 'The target of this link does not exist.\n'

/** Links to themselves: directly, and through another link. */
const LOOPS = [
  ['loop', 'loop'],
  ['there', 'back'],
  ['back', 'there'],
] as const
const LOOP_NAMES = LOOPS.map(([name]) => name).toSorted()

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  symlinkSync('nowhere', join(app.root, 'anna/lost'))
  mkdirSync(join(app.root, 'anna/loops'))
  for (const [name, target] of LOOPS) symlinkSync(target, join(app.root, 'anna/loops', name))
})
afterAll(() => app.stop())

test.each([
  `${API.raw}/lost`,
  `${API.raw}/lost?inline=true`,
  `${API.raw}/?files=lost&algo=zip`,
  `${API.raw}/?files=lost&algo=tar`,
  `${API.resources}/lost`,
  `${API.resources}/lost?checksum=md5`,
  `${API.raw}/loops/loop`,
  `${API.resources}/loops/loop`,
  `${API.resources}/loops/there?checksum=md5`,
])('GET %s says that the target does not exist', async (url) => {
  const answer = await app.anna.call('GET', url)
  expect([answer.status, await answer.text()]).toEqual([404, SENTENCE])
  expect(answer.headers.get(FAULT_HEADER)).toBe('notFound; reason=linkTargetMissing')
})

test('it is copied and moved to a free name as a link', async () => {
  symlinkSync('nowhere', join(app.root, 'anna/taken'))
  for (const action of ['copy', 'rename']) {
    const address = `${API.resources}/taken?action=${action}&rename=true&destination=%2Ftaken`
    expect(await outcome(app.anna.call('PATCH', address))).toBe('200')
  }
  const targets = ['taken(1)', 'taken(2)'].map((name) => readlinkSync(join(app.root, 'anna', name)))
  expect(targets).toEqual(['nowhere', 'nowhere'])
})

test('a share of it is refused with the same sentence, and so is a file that is not there with its own', async () => {
  const owner = await app.person('dora', '--scope', '/anna', '--perm.share')
  const answer = await owner.call('POST', `${API.share}/lost`, {})
  expect([answer.status, await answer.text()]).toEqual([404, SENTENCE])
  const missing = await app.anna.call('GET', `${API.raw}/missing`)
  expect(await missing.text()).toBe('There is no file or folder with this name.\n')
})

test('links to themselves are in the listing, in a shared folder and in a search', async () => {
  const listed = await (await app.anna.call('GET', `${API.resources}/loops/`)).json()
  const rows = listed.items.map(({ name, type }: Entry) => `${name} ${type}`)
  expect(rows.toSorted()).toEqual(LOOP_NAMES.map((name) => `${name} invalid_link`))
  const owner = await app.person('lena', '--scope', '/anna', '--perm.share')
  const { hash } = await (await owner.call('POST', `${API.share}/loops/`, {})).json()
  const shared = await (await app.anonymous.call('GET', `${API.publicShare}/${hash}/`)).json()
  expect(shared.items.map(({ name }: Entry) => name).toSorted()).toEqual(LOOP_NAMES)
  const found = await app.anna.call('GET', `${API.search}/loops/?query=loop`)
  expect(await found.text()).toContain('"loop"')
})

test('a link to itself is read with a sentence, renamed and deleted', async () => {
  const read = await app.anna.call('GET', `${API.raw}/loops/loop`)
  expect([read.status, await read.text()]).toEqual([404, SENTENCE])
  const rename = `${API.resources}/loops/loop?action=rename&destination=%2Floops%2Fnew`
  expect(await outcome(app.anna.call('PATCH', rename))).toBe('200')
  for (const name of ['new', 'there', 'back']) {
    expect(await outcome(app.anna.call('DELETE', `${API.resources}/loops/${name}`))).toBe('204')
  }
  expect(readdirSync(join(app.root, 'anna/loops'))).toEqual([])
})
