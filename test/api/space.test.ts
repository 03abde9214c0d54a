/** What takes up the space in a folder, and files with the same content: as far as the user may see them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { type SameContentLine, SPACE_ROWS, type SpaceReport } from '#wire/api/space.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  write('a/one.jpg', 'x'.repeat(5000), 2020)
  write('a/deep/two.JPG', 'x'.repeat(5000), 2010)
  write('b/three.txt', 'y'.repeat(300), 2015)
  write('secret/four.bin', 'z'.repeat(9000), 2000)
  write('five', '12345', 2021)
  symlinkSync('a', join(app.root, 'anna/link'))
})
afterAll(() => app.stop())

function write(path: string, content: string, year: number): void {
  const file = join(app.root, 'anna', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  utimesSync(file, new Date(`${year}-01-01`), new Date(`${year}-01-01`))
}

const report = async (who: Client, path = '/'): Promise<SpaceReport> =>
  (await who.call('GET', API.space + path)).json()
async function same(who: Client, path = '/'): Promise<SameContentLine[]> {
  const text = await (await who.call('GET', API.sameContent + path)).text()
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
const groupsOf = (lines: SameContentLine[]) =>
  lines.flatMap((line) => ('same' in line ? [line.same.map(({ path }) => String(path))] : []))

async function withoutSecret(): Promise<Client> {
  await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna')
  await app.runCommand('rules', 'add', '/secret', '--user', 'ruled')
  return signIn(app.url, 'ruled', PASSWORD)
}

test('a report sums up entries and kinds, and names the largest and oldest files', async () => {
  const { parts, kinds, largest, oldest, ...sums } = await report(app.anna)
  expect(sums).toEqual({
    bytes: 19_305,
    files: 5,
    folders: 4,
    isPartial: false,
    hasUnreadable: false,
  })
  expect(parts.map(({ entry, bytes, files }) => [String(entry.path), bytes, files])).toEqual([
    ['/a', 10_000, 2],
    ['/secret', 9000, 1],
    ['/b', 300, 1],
    ['/five', 5, 1],
  ])
  expect(parts.map(({ mainKind }) => mainKind)).toEqual([
    { extension: '.jpg', type: 'image' },
    { extension: '.bin', type: 'blob' },
    { extension: '.txt', type: 'text' },
    { extension: '', type: 'blob' },
  ])
  expect(kinds).toEqual([
    { extension: '.jpg', type: 'image', bytes: 10_000, files: 2 },
    { extension: '.bin', type: 'blob', bytes: 9000, files: 1 },
    { extension: '.txt', type: 'text', bytes: 300, files: 1 },
    { extension: '', type: 'blob', bytes: 5, files: 1 },
  ])
  expect(largest.map(({ path }) => String(path)).slice(0, 1)).toEqual(['/secret/four.bin'])
  expect(oldest.map(({ name }) => name)).toEqual([
    'four.bin',
    'two.JPG',
    'three.txt',
    'one.jpg',
    'five',
  ])
  expect((await report(app.anna, '/a/')).parts.map(({ entry }) => entry.name)).toEqual([
    'one.jpg',
    'deep',
  ])
})

test('what a rule denies counts nothing, and is compared with nothing', async () => {
  write('secret/copy.bin', 'w'.repeat(700), 2001)
  write('b/copy.bin', 'w'.repeat(700), 2001)
  const ruled = await withoutSecret()
  const { bytes, parts, largest } = await report(ruled)
  expect(bytes).toBe(11_005)
  expect(parts.map(({ entry }) => entry.name)).not.toContain('secret')
  expect(largest.map(({ path }) => String(path))).not.toContain('/secret/four.bin')
  expect(groupsOf(await same(ruled)).flat()).not.toContain('/secret/copy.bin')
  expect(groupsOf(await same(app.anna))).toContainEqual(['/b/copy.bin', '/secret/copy.bin'])
  for (const url of [API.space, API.sameContent]) {
    expect(await outcome(ruled.call('GET', `${url}/secret/`))).toBe('403 forbidden')
    expect(await outcome(app.anonymous.call('GET', `${url}/`))).toBe('401 unauthenticated')
    expect(await outcome(app.anna.call('GET', `${url}/none/`))).toBe('404 notFound')
  }
  expect(await outcome((await app.withoutDownload()).call('GET', `${API.sameContent}/`))).toBe(
    '403 forbidden',
  )
})

test('files with the same content are found, those that waste the most first; names of one file are not', async () => {
  const long = 'l'.repeat(200_000)
  write('same/x.bin', `${long}1`, 2020)
  write('same/y.bin', `${long}1`, 2020)
  write('same/other.bin', `${long}2`, 2020)
  write('same/empty1', '', 2020)
  write('same/empty2', '', 2020)
  write('same/s1', 'short', 2020)
  write('same/s2', 'short', 2020)
  write('same/s3', 'shorT', 2020)
  linkSync(join(app.root, 'anna/same/x.bin'), join(app.root, 'anna/same/x-again.bin'))
  const lines = await same(app.anna, '/same/')
  const groups = groupsOf(lines)
  expect(groups).toHaveLength(2)
  expect(groups[0]).toHaveLength(2)
  expect(groups[0]).toContain('/same/y.bin')
  expect(groups[1]).toEqual(['/same/s1', '/same/s2'])
  const total = 3 * 200_001 + 3 * 5
  expect(lines.at(-1)).toEqual({ done: total, total, isPartial: false })
})

test('a report of a large folder has a limited number of rows', async () => {
  for (let at = 0; at < 3 * SPACE_ROWS; at += 1) {
    write(`many/${at}.e${at}`, 'x'.repeat(at + 1), 1990 + (at % 30))
  }
  const { parts, kinds, largest, oldest, files } = await report(app.anna, '/many/')
  expect(files).toBe(3 * SPACE_ROWS)
  for (const rows of [parts, kinds, largest, oldest]) expect(rows).toHaveLength(SPACE_ROWS)
  expect(largest[0]).toMatchObject({ size: 3 * SPACE_ROWS })
  expect(oldest.every(({ modified }) => modified.startsWith('199'))).toBe(true)
})
