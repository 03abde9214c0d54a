/** Preconditions of downloads (RFC 9110 section 13): a client continues only the content that it has begun. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { zipOf } from '../support/files/made-archives.ts'
import { until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { countOpen } from '../support/server/open-files.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MODIFIED = new Date('2026-01-02T03:04:05.678Z')
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT'

let app: TestApp
let hash: string
let version: number
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(disk('docs'), { recursive: true })
  put('docs/a.txt', '0123456789')
  put('docs/b.zip', zipOf({ name: 'x.txt', content: 'in the archive' }))
  const picture = { create: { width: 600, height: 600, channels: 3, background: 'red' } } as const
  put('docs/c.png', await sharp(picture).png().toBuffer())
  put('docs/d.gif', 'GIF89a, moving')
  put('docs/v.txt', 'first')
  await app.anna.call('PUT', `${API.resources}/docs/v.txt`, 'second')
  const [kept] = await (await app.anna.call('GET', `${API.versions}/docs/v.txt`)).json()
  version = kept.id
  hash = (await (await app.anna.call('POST', `${API.share}/docs/`, {})).json()).hash
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(disk(name), content)
  utimesSync(disk(name), MODIFIED, MODIFIED)
}

/** Everything that is downloaded; those with a date have the header `Last-Modified`. */
const KINDS: [what: string, address: () => string, has: 'date' | 'tag' | 'neither'][] = [
  ['a file', () => `${API.raw}/docs/a.txt`, 'date'],
  ['a file that is shown', () => `${API.raw}/docs/a.txt?inline=true`, 'date'],
  ['a file of a share', () => `${API.publicDownload}/${hash}/a.txt`, 'date'],
  ['an earlier version', () => `${API.versions}/docs/v.txt?id=${version}`, 'date'],
  ['a picture sent as it is', () => `${API.preview}/big/docs/d.gif`, 'date'],
  ['a preview', () => `${API.preview}/thumb/docs/c.png`, 'date'],
  ['a preview of a share', () => `${API.publicPreview}/thumb/${hash}/c.png`, 'date'],
  ['a zip', () => `${API.raw}/docs/?algo=zip`, 'tag'],
  ['a zip of a share', () => `${API.publicDownload}/${hash}?algo=zip`, 'tag'],
  ['a tar', () => `${API.raw}/docs/?algo=tar`, 'neither'],
  ['a file of an archive', () => `${API.archiveFile}/docs/b.zip?inside=/x.txt`, 'tag'],
  ['one of a shared archive', () => `${API.publicArchiveFile}/${hash}/b.zip?inside=/x.txt`, 'tag'],
  ['a listing', () => `${API.resources}/docs/`, 'neither'],
  ['the description of a file', () => `${API.resources}/docs/a.txt`, 'tag'],
]

const ask = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  (address.includes('/public/') ? app.anonymous : app.anna).call(
    method,
    address,
    undefined,
    headers,
  )

/** The status of a request; the outcomes of GET and HEAD must be equal. */
async function status(address: string, headers: Record<string, string>): Promise<string> {
  const got = await outcome(ask(address, headers))
  expect(await outcome(ask(address, headers, 'HEAD'))).toBe(got)
  return got
}

async function headerOf(address: string, name: string): Promise<string> {
  const { headers, body } = await ask(address)
  await body?.cancel()
  return headers.get(name) ?? ''
}

describe.each(KINDS)('%s', (_, address, has) => {
  test('is refused to a client that continues another content', async () => {
    const old = { 'If-Match': '"old"' }
    expect(await status(address(), old)).toBe('412 precondition')
    expect(await status(address(), { ...old, Range: 'bytes=1-' })).toBe('412 precondition')
    expect(await status(address(), { ...old, 'If-None-Match': '"other"' })).toBe('412 precondition')
    expect(await status(address(), { 'If-Match': '*' })).toBe('200')
  })

  if (has === 'neither') return

  test('is sent to a client that names its content, and 304 to one that has it', async () => {
    const tag = await headerOf(address(), 'etag')
    expect(tag).toStartWith('"')
    expect(await status(address(), { 'If-Match': tag })).toBe('200')
    expect(await status(address(), { 'If-Match': `"old", ${tag}` })).toBe('200')
    expect(await status(address(), { 'If-Match': `W/${tag}` })).toBe('412 precondition')
    const both = { 'If-Match': '"old"', 'If-None-Match': tag }
    expect(await status(address(), both)).toBe('412 precondition')
  })

  if (has === 'tag') return

  test('is refused to a client whose content is older', async () => {
    const date = await headerOf(address(), 'last-modified')
    expect(await status(address(), { 'If-Unmodified-Since': BEFORE })).toBe('412 precondition')
    const older = { 'If-Unmodified-Since': BEFORE, 'If-Modified-Since': date, Range: 'bytes=1-' }
    expect(await status(address(), older)).toBe('412 precondition')
    expect(await status(address(), { 'If-Unmodified-Since': date })).toBe('200')
  })
})

describe('the order of the conditions', () => {
  const a = `${API.raw}/docs/a.txt`
  const range = { Range: 'bytes=2-4' }

  test('the time counts only without a tag, and only if it is a date', async () => {
    const tag = await headerOf(a, 'etag')
    const since = { 'If-Unmodified-Since': BEFORE }
    expect(await status(a, { 'If-Match': tag, ...since, ...range })).toBe('206')
    for (const none of ['nonsense', '1', '2026-01-01', 'Fri, 02 Jan 2026 03:04:04 +0000', '']) {
      expect(await status(a, { 'If-Unmodified-Since': none })).toBe('200')
      expect(await status(a, { 'If-Modified-Since': none })).toBe('200')
    }
    for (const spelling of ['Friday, 02-Jan-26 03:04:04 GMT', 'Fri Jan  2 03:04:04 2026']) {
      expect(await status(a, { 'If-Unmodified-Since': spelling })).toBe('412 precondition')
    }
  })

  test('If-Match and If-Unmodified-Since come before If-None-Match, and this before a range', async () => {
    const tag = await headerOf(a, 'etag')
    const date = await headerOf(a, 'last-modified')
    expect(await status(a, { 'If-Match': tag, 'If-None-Match': tag, ...range })).toBe('304')
    expect(await status(a, { 'If-Unmodified-Since': date, 'If-None-Match': tag })).toBe('304')
    expect(await status(a, { 'If-Unmodified-Since': BEFORE, 'If-None-Match': tag })).toBe(
      '412 precondition',
    )
    expect(await status(a, { 'If-None-Match': '"x"', 'If-Modified-Since': date, ...range })).toBe(
      '206',
    )
    expect(await status(a, { 'If-Match': '"old"', Range: 'bytes=99-' })).toBe('412 precondition')
    expect(await status(a, { 'If-None-Match': tag, Range: 'bytes=99-' })).toBe('304')
  })

  test('a missing file is 404, and one without the right to it 403, whatever the conditions are', async () => {
    const old = { 'If-Match': '"old"' }
    expect(await status(`${API.raw}/docs/none.txt`, old)).toBe('404 notFound')
    expect(await outcome(app.anonymous.call('GET', a, undefined, old))).toBe('401 unauthenticated')
    const reader = await app.withoutDownload()
    expect(await outcome(reader.call('GET', a, undefined, old))).toBe('403 forbidden')
  })

  test('a file that was replaced by another program is not continued', async () => {
    put('docs/e.bin', 'x'.repeat(300_000))
    const e = `${API.raw}/docs/e.bin`
    const { headers, body } = await ask(e)
    await body?.cancel()
    const tag = headers.get('etag') ?? ''
    const date = headers.get('last-modified') ?? ''
    writeFileSync(disk('docs/e.bin'), 'y'.repeat(300_000))
    const rest = { Range: 'bytes=100-' }
    expect(await status(e, { ...rest, 'If-Match': tag })).toBe('412 precondition')
    expect(await status(e, { ...rest, 'If-Unmodified-Since': date })).toBe('412 precondition')
    expect(await status(e, { ...rest, 'If-Range': tag })).toBe('200')
    expect(await status(e, { ...rest, 'If-Range': date })).toBe('200')
    // No refused request leaves the file open.
    await until(() => countOpen(app.server.pid, 'e.bin') === 0)
  })

  test('a date does not identify content that changed in the same second', async () => {
    const date = await headerOf(a, 'last-modified')
    expect(await status(a, { ...range, 'If-Range': date })).toBe('206')
    // The second of this time has not passed.
    put('docs/f.txt', '0123456789')
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(disk('docs/f.txt'), later, later)
    const f = `${API.raw}/docs/f.txt`
    const recent = await headerOf(f, 'last-modified')
    expect(await status(f, { ...range, 'If-Range': recent })).toBe('200')
    expect(await status(f, { ...range, 'If-Range': await headerOf(f, 'etag') })).toBe('206')
  })
})

describe('saving', () => {
  const save = (headers: Record<string, string>) =>
    outcome(app.anna.call('PUT', `${API.resources}/docs/g.txt`, 'changed', headers))

  test('a save is refused if the file was changed after the time that it names', async () => {
    put('docs/g.txt', 'content')
    expect(await save({ 'If-Unmodified-Since': BEFORE })).toBe('412 precondition')
    const tag = await headerOf(`${API.raw}/docs/g.txt`, 'etag')
    expect(await save({ 'If-Match': tag, 'If-Unmodified-Since': BEFORE })).toBe('200')
    put('docs/g.txt', 'content')
    const date = await headerOf(`${API.raw}/docs/g.txt`, 'last-modified')
    expect(await save({ 'If-Unmodified-Since': date })).toBe('200')
  })
})
