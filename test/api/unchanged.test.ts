/**
 * A browser merges the headers of a 304 into the answer that it keeps (RFC 9111 section 3.2): what
 * they say of a file must be what the file's own answer says.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, urls } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let hash: string
beforeAll(async () => {
  app = await openTestApp()
  const look = join(app.root, '..', 'look')
  mkdirSync(join(look, 'img'), { recursive: true })
  writeFileSync(join(look, 'custom.css'), 'body { color: red }')
  await app.runCommand('config', 'set', 'branding.files', look)
  const disk = (name: string) => join(app.root, 'anna', name)
  writeFileSync(disk('a.pdf'), '%PDF-1.4\n%%EOF\n')
  writeFileSync(disk('a.png'), PNG)
  writeFileSync(disk('a.html'), '<p>hello</p>')
  writeFileSync(disk('a.bin'), new Uint8Array([0, 1, 2, 255]))
  const made = await app.anna.call('POST', `${API.share}/a.pdf`, {})
  hash = (await made.json()).hash
})
afterAll(() => app.stop())

const raw = (name: string, inline: boolean) => urls.raw(parsePath(`/${name}`), inline)

test.each([
  ['a document that is shown', () => raw('a.pdf', true)],
  ['a document that is saved', () => raw('a.pdf', false)],
  ['a picture', () => raw('a.png', true)],
  ['a page', () => raw('a.html', true)],
  ['bytes', () => raw('a.bin', true)],
  ['a preview', () => `${API.preview}/thumb/a.png?inline=true`],
  ['a document behind a link', () => `${API.publicDownload}/${hash}/a.pdf?inline=true`],
  ['the service worker', () => '/sw.js'],
  ['the operator’s stylesheet', () => '/static/custom.css'],
])('a 304 for %s has the headers of the complete response', async (_, address) => {
  const whole = await app.anna.call('GET', address())
  expect(whole.status).toBe(200)
  await whole.body?.cancel()
  const [etag, modified] = [whole.headers.get('etag'), whole.headers.get('last-modified') ?? '']
  const known = { ...(etag ? { 'If-None-Match': etag } : { 'If-Modified-Since': modified }) }
  const unchanged = await app.anna.call('GET', address(), undefined, known)
  expect(unchanged.status).toBe(304)
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'content-disposition',
    'cache-control',
    'cross-origin-resource-policy',
    'referrer-policy',
    'etag',
    'last-modified',
    'vary',
  ]) {
    expect(`${name}: ${unchanged.headers.get(name)}`).toBe(`${name}: ${whole.headers.get(name)}`)
  }
})
