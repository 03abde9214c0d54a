/** Pictures of PDF files, where pdftoppm is on the machine. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { coloursPdf } from '../support/files/documents.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const preview = (path: string, size = 'thumb', who = app.anna) =>
  who.call('GET', `${API.preview}/${size}/${path.split('/').map(encodeURIComponent).join('/')}`)

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

async function colour(answer: Response): Promise<string> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const { dominant } = await sharp(await answer.bytes()).stats()
  const { r, g, b } = dominant
  return r > 150 ? 'red' : g > 150 ? 'green' : b > 150 ? 'blue' : 'none'
}

test('a PDF shows its first page, in all sizes, whatever its name is @spec-7.24', async () => {
  writeFileSync(disk('pages.pdf'), coloursPdf(['red', 'blue']))
  writeFileSync(disk('-r 9 ü.pdf'), coloursPdf(['blue', 'red']))
  for (const size of ['thumb', 'row', 'big']) {
    expect(await colour(await preview('pages.pdf', size))).toBe('red')
  }
  expect(await colour(await preview('-r 9 ü.pdf'))).toBe('blue')
}, 60_000)

test('a page of any size becomes a small picture, whose top a thumbnail shows', async () => {
  writeFileSync(disk('huge.pdf'), coloursPdf(['green'], [200_000, 300_000]))
  const { width, height } = await sharp(await (await preview('huge.pdf', 'big')).bytes()).metadata()
  expect([width, height]).toEqual([720, 1080])
  // The lower half of the page is white.
  writeFileSync(disk('long.pdf'), coloursPdf(['top red'], [200, 800]))
  const { dominant } = await sharp(await (await preview('long.pdf')).bytes()).stats()
  expect(dominant.g).toBeLessThan(50)
}, 60_000)

test('a file that is no PDF has no preview, which is remembered @spec-7.24', async () => {
  writeFileSync(disk('broken.pdf'), 'no PDF')
  expect(await outcome(preview('broken.pdf'))).toBe('422 unprocessable')
  expect(await outcome(preview('broken.pdf'))).toBe('422 unprocessable')
}, 60_000)

test('pages are only for users who may download, and links lead to no other PDF', async () => {
  const reader = await app.withoutDownload()
  writeFileSync(disk('mine.pdf'), coloursPdf(['red']))
  expect(await outcome(preview('mine.pdf', 'thumb', reader))).toBe('403 forbidden')
  mkdirSync(join(app.root, 'other'))
  writeFileSync(join(app.root, 'other/secret.pdf'), coloursPdf(['blue']))
  symlinkSync('../other/secret.pdf', disk('link.pdf'))
  expect(await outcome(preview('link.pdf'))).toBe('403 outside')
})

test('visitors see the pages of shared PDF files', async () => {
  writeFileSync(disk('shared.pdf'), coloursPdf(['blue']))
  const made = await app.anna.call('POST', `${API.share}/shared.pdf`, {})
  const { hash }: { hash: string } = await made.json()
  const answer = await app.anonymous.call('GET', `${API.publicPreview}/thumb/${hash}`)
  expect(await colour(answer)).toBe('blue')
}, 60_000)
