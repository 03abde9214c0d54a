/** `X-HTTP-Method-Override` of tus: for clients behind firewalls that pass only GET and POST. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (name: string) => join(app.root, 'anna', name)
/** A POST that stands for another method. */
const post = (path: string, method: string, more: Record<string, string> = {}, body?: BodyInit) =>
  app.anna.call('POST', path, body, { 'X-HTTP-Method-Override': method, ...more })
const BYTES = { 'Content-Type': 'application/offset+octet-stream' }

test('HEAD, PATCH and DELETE may be sent as POST with the name of the method', async () => {
  await app.anna.call('POST', `${API.tus}/a.txt`, undefined, { 'Upload-Length': '4' })
  const patched = await post(`${API.tus}/a.txt`, 'PATCH', { ...BYTES, 'Upload-Offset': '0' }, 'ab')
  expect([patched.status, patched.headers.get('upload-offset')]).toEqual([204, '2'])
  const asked = await post(`${API.tus}/a.txt`, 'head')
  expect([asked.status, asked.headers.get('upload-offset'), await asked.text()]).toEqual([
    200,
    '2',
    '',
  ])
  expect((await post(`${API.tus}/a.txt`, 'DELETE')).status).toBe(204)
  expect((await app.anna.call('HEAD', `${API.tus}/a.txt`)).status).toBe(404)
  expect(existsSync(disk('a.txt'))).toBe(false)
})

test('tus-js-client uploads with overridePatchMethod', async () => {
  await new Promise<void>((done, fail) => {
    new Upload(Buffer.from('sent as POST'), {
      endpoint: `${app.url}${API.tus}/`,
      headers: { 'X-Auth': app.anna.token },
      metadata: { filename: 'posted.txt' },
      chunkSize: 5,
      overridePatchMethod: true,
      onError: fail,
      onSuccess: () => done(),
    }).start()
  })
  expect(readFileSync(disk('posted.txt'), 'utf8')).toBe('sent as POST')
})

test('other methods are not stood for, and nothing is created', async () => {
  for (const method of ['GET', 'PUT', 'OPTIONS', 'NONE', '']) {
    const refused = post(`${API.tus}/b.txt`, method, { 'Upload-Length': '0' })
    expect(await outcome(refused)).toBe('400 badRequest')
  }
  expect(existsSync(disk('b.txt'))).toBe(false)
})

test('outside of tus, and with another method than POST, the header means nothing', async () => {
  writeFileSync(disk('kept.txt'), 'kept')
  const other = { 'X-HTTP-Method-Override': 'DELETE' }
  expect(await outcome(app.anna.call('GET', `${API.resources}/kept.txt`, undefined, other))).toBe(
    '200',
  )
  expect(await outcome(post(`${API.resources}/kept.txt`, 'DELETE'))).toBe('409 conflict')
  expect(readFileSync(disk('kept.txt'), 'utf8')).toBe('kept')
  await app.anna.call('POST', `${API.tus}/c.txt`, undefined, { 'Upload-Length': '4' })
  const asked = await app.anna.call('HEAD', `${API.tus}/c.txt`, undefined, other)
  expect(asked.headers.get('upload-length')).toBe('4')
})

test('a POST that stands for HEAD is signed in like a POST: a cookie does not suffice', async () => {
  await app.anna.call('POST', `${API.tus}/d.txt`, undefined, { 'Upload-Length': '4' })
  const cookie = { Cookie: `auth=${app.anna.token}` }
  const url = `${API.tus}/d.txt`
  expect(await outcome(app.anonymous.call('HEAD', url, undefined, cookie))).toBe('200')
  const posted = { ...cookie, 'X-HTTP-Method-Override': 'HEAD' }
  expect(await outcome(app.anonymous.call('POST', url, undefined, posted))).toBe(
    '401 unauthenticated',
  )
})
