/** The metadata of pictures, films and recordings, and who gets which. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import type { FolderMedia } from '#wire/api/media.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { exifBlock, withExif } from '../support/files/exif.ts'
import { withTags } from '../support/files/tagged-sounds.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const cache = temporaryFolder()
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const ask = (path: string, who = app.anna) => who.call('GET', `${API.media}/${path}`)
const POSITION = { latitude: 68.5, longitude: 13.25 }

async function photo(width: number, height: number, taken: string): Promise<Buffer> {
  const plain = sharp({ create: { width, height, channels: 3, background: 'teal' } })
  const block = exifBlock({
    main: { 272: 'X-T5' },
    own: { 36867: taken },
    gps: { 1: 'N', 2: [[137, 2]], 3: 'E', 4: [[53, 4]] },
  })
  return withExif(await plain.jpeg().toBuffer(), block)
}

beforeAll(async () => {
  app = await openTestApp({ args: ['--cache-dir', cache.path] })
  mkdirSync(disk('trip', 'inside'), { recursive: true })
  writeFileSync(disk('trip', 'b.jpg'), await photo(60, 40, '2026:05:01 12:00:00'))
  writeFileSync(disk('trip', 'a.jpg'), await photo(40, 60, '2026:05:02 12:00:00'))
  writeFileSync(disk('trip', '.hidden.jpg'), await photo(4, 4, '2026:05:02 12:00:00'))
  writeFileSync(disk('trip', 'broken.jpg'), 'no picture')
  writeFileSync(disk('trip', 'note.txt'), 'no picture')
  const film = ['-f', 'lavfi', '-i', 'color=red:size=64x48:rate=5:duration=2', '-c:v', 'mpeg4']
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...film, disk('trip', 'c.mp4')])
})
afterAll(async () => {
  await app.stop()
  cache.remove()
})

test('metadata of a file needs the right to download; a file without metadata has an empty object @spec-7.26', async () => {
  const facts = { width: 60, height: 40, taken: '2026-05-01T12:00:00', camera: 'X-T5' }
  expect(await (await ask('trip/b.jpg')).json()).toEqual({ ...facts, position: POSITION })
  expect(await (await ask('trip/c.mp4')).json()).toEqual({ width: 64, height: 48, seconds: 2 })
  expect(await (await ask('trip/broken.jpg')).json()).toEqual({})
  expect(await (await ask('trip/note.txt')).json()).toEqual({})
  expect(await outcome(ask('trip/none.jpg'))).toBe('404 notFound')
  expect(await outcome(ask('trip/b.jpg', app.anonymous))).toBe('401 unauthenticated')
  const rights = ['--scope', '/anna', '--perm.download=false', '--perm.share=false']
  const blind = await app.person('blind', ...rights)
  expect(await outcome(ask('trip/b.jpg', blind))).toBe('403 forbidden')
  expect(await outcome(ask('trip/', blind))).toBe('403 forbidden')
})

test('metadata is cached beside the previews @spec-7.26', async () => {
  await ask('trip/b.jpg')
  const kept = () => readdirSync(cache.path).filter((name) => name.endsWith('.json')).length
  const before = kept()
  expect(before).toBeGreaterThan(0)
  writeFileSync(disk('trip', 'b.jpg'), await photo(66, 44, '2026:05:01 12:00:00'))
  expect(await (await ask('trip/b.jpg')).json()).toMatchObject({ width: 66, height: 44 })
  expect(kept()).toBe(before + 1)
  await ask('trip/b.jpg')
  expect(kept()).toBe(before + 1)
})

test('a folder returns the metadata of its pictures and films in the order of their names, from any index @spec-7.26', async () => {
  const { items, next }: FolderMedia = await (await ask('trip/')).json()
  expect(next).toBeUndefined()
  expect(items.filter(({ name }) => !name.startsWith('.'))).toEqual([
    { name: 'a.jpg', width: 40, height: 60, taken: '2026-05-02T12:00:00' },
    { name: 'b.jpg', width: 66, height: 44, taken: '2026-05-01T12:00:00' },
    { name: 'broken.jpg' },
    { name: 'c.mp4', width: 64, height: 48, seconds: 2 },
  ])
  const rest: FolderMedia = await (await ask(`trip/?from=${items.length - 1}`)).json()
  expect(rest.items.map(({ name }) => name)).toEqual(['c.mp4'])
  expect(await outcome(ask('trip/?from=-1'))).toBe('400 badRequest')
})

test('one response has the metadata of a limited number of pictures @limit-66', async () => {
  mkdirSync(disk('many'))
  for (let at = 0; at <= SERVER_LIMITS.mediaFolderFiles; at += 1) {
    writeFileSync(disk('many', `${String(at).padStart(5, '0')}.jpg`), '')
  }
  const names = new Set<string>()
  // After this first reading, the cached metadata is returned before the time limit of a response.
  for (let next: number | undefined = 0; next !== undefined; ) {
    ;({ next } = (await (await ask(`many/?from=${next}`)).json()) as FolderMedia)
  }
  let from: number | undefined = 0
  while (from !== undefined) {
    const told: FolderMedia = await (await ask(`many/?from=${from}`)).json()
    expect(told.items.length).toBeLessThanOrEqual(SERVER_LIMITS.mediaFolderFiles)
    for (const { name } of told.items) names.add(name)
    from = told.next
  }
  expect(names.size).toBe(SERVER_LIMITS.mediaFolderFiles + 1)
})

test('one user requests the metadata of a limited number of folders at once @limit-23', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('many/')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(CONCURRENCY_LIMITS.media.perKey)
  await Promise.all(answers.map((answer) => answer.text()))
  expect(await outcome(ask('many/'))).toBe('200')
})

test('visitors get sizes and dates of pictures, but neither camera nor position @spec-7.26', async () => {
  const made = await app.anna.call(
    'POST',
    `${API.share}/trip`,
    JSON.stringify({ password: 'sesame' }),
  )
  const { hash }: Share = await made.json()
  const visit = (path: string, password?: string) =>
    app.anonymous.call('GET', `${API.publicMedia}/${hash}${path}`, undefined, {
      ...(password && { 'X-SHARE-PASSWORD': password }),
    })
  expect(await outcome(visit('/a.jpg'))).toBe('401 unauthenticated')
  const facts = { width: 40, height: 60, taken: '2026-05-02T12:00:00' }
  expect(await (await visit('/a.jpg', 'sesame')).json()).toEqual(facts)
  const { items }: FolderMedia = await (await visit('/', 'sesame')).json()
  expect(items).toContainEqual({ name: 'a.jpg', ...facts })
  expect(JSON.stringify(items)).not.toMatch(/latitude|camera/)
})

test('a recording has its tags, each as one line, and visitors of a share get none of them', async () => {
  const tags = { title: 'Two\nlines', artist: 'x'.repeat(300) }
  writeFileSync(disk('trip', 'song.mp3'), withTags(tags))
  writeFileSync(disk('trip', 'empty.mp3'), '')
  expect(await (await ask('trip/song.mp3')).json()).toMatchObject({
    title: 'Two lines',
    artist: 'x'.repeat(100),
  })
  expect(await (await ask('trip/empty.mp3')).json()).toEqual({})
  const made = await app.anna.call('POST', `${API.share}/trip/song.mp3`, {})
  const { hash } = (await made.json()) as Share
  const shared = await app.anonymous.call('GET', `${API.publicMedia}/${hash}`)
  expect(await shared.json()).not.toHaveProperty('title')
})
