/** Names in a tar have the same bytes as on the disk, also if they are not UTF-8 or have a backslash. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { parsePath } from '#wire/paths.ts'
import { unpack } from '../support/files/archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { ended, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

/** In Latin-1: each character is one byte. */
const NAMES = [
  'caf\xe9.txt',
  'back\\slash.txt',
  '\xff\\\xfe',
  `long \xe9 ${'x'.repeat(140)}`,
  `long \\ ${'y'.repeat(140)}`,
  'Z\xc3\xbcrich.txt',
  // The bytes of U+EF80, which stands for a byte.
  '\xee\xbe\x80',
]
const FOLDER = 'f\xe9 \\ f\xfe'

let app: TestApp
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const inFolder = (folder: string, name: string) =>
  Buffer.concat([latin1(`${folder}/`), latin1(name)])

beforeAll(async () => {
  app = await openTestApp()
  const top = join(app.root, 'anna/odd')
  mkdirSync(inFolder(top, FOLDER), { recursive: true })
  for (const name of NAMES) {
    writeFileSync(inFolder(top, name), name)
    writeFileSync(inFolder(`${top}/${FOLDER}`, name), name)
  }
})
afterAll(() => app.stop())

test.each(['tar', 'targz'] as const)('GNU tar unpacks a %s to the same names', async (algo) => {
  const answer = await app.anna.call('GET', `${API.raw}/odd/?algo=${algo}`)
  const unpacked = join(temporaryFolder().path, 'out')
  await unpack(algo satisfies ArchiveFormatName, await answer.bytes(), unpacked)
  expectNames(unpacked)
})

test('an extracted tar has the same names', async () => {
  const answer = await app.anna.call('GET', `${API.raw}/odd/?algo=tar`)
  writeFileSync(join(app.root, 'anna/odd.tar'), await answer.bytes())
  const items = [{ path: parsePath('/odd.tar') }]
  const job = await started(app.anna, { kind: 'extract', items, to: parsePath('/again') })
  expect((await ended(app.anna, job.id)).problems).toEqual([])
  expectNames(join(app.root, 'anna/again'))
})

test('a name that leads outside on other systems has no backslash in a tar', async () => {
  const top = join(app.root, 'anna/outside')
  mkdirSync(top)
  for (const name of ['..\\evil', 'a\\..', 'b\\..\\c', 'fine\\..x'])
    writeFileSync(join(top, name), '')
  const answer = await app.anna.call('GET', `${API.raw}/outside/?algo=tar`)
  const unpacked = join(temporaryFolder().path, 'out')
  await unpack('tar', await answer.bytes(), unpacked)
  expect(readdirSync(unpacked).toSorted()).toEqual(['.._evil', 'a_..', 'b_.._c', 'fine\\..x'])
})

function expectNames(folder: string): void {
  for (const each of [latin1(folder), inFolder(folder, FOLDER)]) {
    const found = readdirSync(each, { encoding: 'buffer' }).map((name) => name.toString('latin1'))
    const own = each.length === folder.length ? [FOLDER] : []
    expect(found.toSorted()).toEqual([...NAMES, ...own].toSorted())
    for (const name of NAMES) {
      const file = Buffer.concat([each, Buffer.from('/'), latin1(name)])
      expect(readFileSync(file, 'utf8')).toBe(name)
    }
  }
}
