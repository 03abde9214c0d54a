import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawRequest } from '#attacks/raw-request.ts'
import { urls } from '#wire/api/routes.ts'
import { childPath, parsePath, ROOT } from '#wire/paths.ts'
import { NASTY_NAMES } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  writeFileSync(join(app.root, 'anna', 'ten.txt'), '0123456789')
  writeFileSync(join(app.root, 'anna', 'page.html'), '<script>alert(1)</script>')
})
afterAll(() => app.stop())

const ten = urls.raw(parsePath('/ten.txt'))
const get = (address: string, headers?: Record<string, string>, method = 'GET') =>
  app.anna.call(method, address, undefined, headers)

test('401 without a session, 403 without the permission, the content with it @spec-7.22', async () => {
  const reader = await app.withoutDownload()
  expect(await outcome(app.anonymous.call('GET', ten))).toBe('401 unauthenticated')
  expect(await outcome(reader.call('GET', ten))).toBe('403 forbidden')
  expect(await (await get(ten)).text()).toBe('0123456789')
  expect(await (await app.admin.call('GET', urls.raw(parsePath('/anna/ten.txt')))).text()).toBe(
    '0123456789',
  )
})

test('the download of a missing file is 404', async () => {
  expect(await outcome(get(urls.raw(parsePath('/missing'))))).toBe('404 notFound')
})

describe('ranges', () => {
  const range = async (value: string) => {
    const answer = await get(ten, { Range: value })
    return `${answer.status} ${answer.headers.get('content-range') ?? ''} ${await answer.text()}`
  }

  test('a request for one range gets that part @spec-7.22', async () => {
    expect(await range('bytes=2-4')).toBe('206 bytes 2-4/10 234')
    expect(await range('bytes=7-')).toBe('206 bytes 7-9/10 789')
    expect(await range('bytes=-3')).toBe('206 bytes 7-9/10 789')
    expect(await range('bytes=8-99')).toBe('206 bytes 8-9/10 89')
    expect(await range('bytes=-99')).toBe('206 bytes 0-9/10 0123456789')
  })

  test('a range that cannot be satisfied is 416, and one that is not valid gets the whole file', async () => {
    expect(await range('bytes=10-')).toStartWith('416')
    expect(await range('bytes=-0')).toStartWith('416')
    for (const odd of ['bytes=5-2', 'lines=1-2', 'bytes=', `bytes=${'0-,'.repeat(1000)}0-`]) {
      expect(await range(odd)).toBe('200  0123456789')
    }
  })

  test('a range belongs to the file that If-Range names', async () => {
    const tag = (await get(ten)).headers.get('etag') ?? ''
    expect((await get(ten, { Range: 'bytes=0-0', 'If-Range': tag })).status).toBe(206)
    expect((await get(ten, { Range: 'bytes=0-0', 'If-Range': '"another"' })).status).toBe(200)
  })
})

test('content that the client has is not sent again', async () => {
  const first = await get(ten)
  const tag = first.headers.get('etag') ?? ''
  const date = first.headers.get('last-modified') ?? ''
  expect((await get(ten, { 'If-None-Match': tag })).status).toBe(304)
  expect((await get(ten, { 'If-None-Match': `W/"x", ${tag}` })).status).toBe(304)
  expect((await get(ten, { 'If-Modified-Since': date })).status).toBe(304)
  expect((await get(ten, { 'If-None-Match': '"other"', 'If-Modified-Since': date })).status).toBe(
    200,
  )
})

test('HEAD says what GET would, without the bytes', async () => {
  const head = await get(ten, {}, 'HEAD')
  expect(head.headers.get('content-length')).toBe('10')
  expect(head.headers.get('accept-ranges')).toBe('bytes')
  expect(await head.text()).toBe('')
})

test('content of users is downloaded or sandboxed: no sniffing, no scripts, no origin of the interface', async () => {
  const page = urls.raw(parsePath('/page.html'), true)
  const text = urls.raw(parsePath('/ten.txt'), true)
  const header = async (address: string, name: string) => (await get(address)).headers.get(name)
  expect(await header(ten, 'content-type')).toBe('application/octet-stream')
  expect(await header(ten, 'content-disposition')).toStartWith('attachment')
  expect(await header(text, 'content-disposition')).toStartWith('inline')
  expect(await header(text, 'content-type')).toBe('text/plain; charset=utf-8')
  for (const address of [ten, text, page]) {
    expect(await header(address, 'x-content-type-options')).toBe('nosniff')
    expect(await header(address, 'content-security-policy')).toStartWith(
      "sandbox; default-src 'none'",
    )
  }
})

test('content that a browser would run is shown as plain text', async () => {
  const script = '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'
  for (const name of [
    'a.html',
    'a.HTM',
    'a.xhtml',
    'a.xml',
    'a.xsl',
    'a.js',
    'a.css',
    'a.md',
    'a.rss',
  ]) {
    const path = parsePath(`/${name}`)
    await app.anna.call('POST', urls.resource(path), script)
    const answer = await get(urls.raw(path, true))
    expect(answer.headers.get('content-disposition')).toStartWith('inline')
    expect(`${name} ${answer.headers.get('content-type')}`).toBe(
      `${name} text/plain; charset=utf-8`,
    )
  }
})

test.each([
  ['a.svg', 'inline'],
  ['a.pdf', 'inline'],
  ['a.mp3', 'inline'],
  ['a.epub', 'attachment'],
  ['a.swf', 'attachment'],
  ['a.bin', 'attachment'],
  ['a.zip', 'attachment'],
])('%s is sent as %s when it is to be shown', async (name, wanted) => {
  const path = parsePath(`/${name}`)
  await app.anna.call('POST', urls.resource(path), new Uint8Array([0, 1, 2, 255]))
  const answer = await get(urls.raw(path, true))
  expect(answer.headers.get('content-disposition')).toStartWith(wanted)
  const type = answer.headers.get('content-type')
  if (wanted === 'attachment') expect(type).toBe('application/octet-stream')
})

test('no name can break a header, and every name arrives @spec-7.22', async () => {
  const names = [...NASTY_NAMES, 'a\r\nX-Evil: 1.txt', 'a".txt']
  for (const name of names) {
    const path = childPath(ROOT, name)
    await app.anna.call('POST', urls.resource(path), 'x')
    const answer = await get(urls.raw(path))
    expect(answer.headers.get('x-evil')).toBeNull()
    const disposition = answer.headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(
      /^attachment; filename="[ !#-[\]-~]+"; filename\*=utf-8''[\w.~%-]+$/,
    )
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(name)
  }
})

test('no spelling of a path leaves the folder', async () => {
  writeFileSync(join(app.root, 'secret.txt'), 'TOP SECRET')
  const auth = { 'X-Auth': app.anna.token }
  const targets: [address: string, status: number][] = [
    ['/api/raw/../secret.txt', 404],
    ['/api/raw/../../etc/passwd', 200],
    ['/api/raw/..%2fsecret.txt', 404],
    ['/api/raw/%2e%2e/secret.txt', 404],
    ['/api/raw/%2e%2e%2fsecret.txt', 404],
    ['/api/raw/..%5csecret.txt', 404],
    ['/api/raw//etc/passwd', 404],
    ['/api/raw/%2Fetc%2Fpasswd', 404],
    ['/api/raw/x/..%2f..%2fsecret.txt', 404],
    ['/api/raw/secret.txt%00', 400],
    ['/api/raw/%c0%ae%c0%ae/secret.txt', 400],
    ['/api/raw/%', 400],
  ]
  for (const [target, expected] of targets) {
    const { status, text } = await rawRequest(app.url, 'GET', target, auth)
    expect(`${target} ${status}`).toBe(`${target} ${expected}`)
    expect(text).not.toContain('TOP SECRET')
    expect(text).not.toContain('root:')
  }
  const own = await rawRequest(app.url, 'GET', '/api//raw/./ten.txt', auth)
  expect(own.text).toContain('0123456789')
})
