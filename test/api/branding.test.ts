/** Branding: the stylesheet and the pictures of the operator (docs/api.md 1.18). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawRequest } from '#attacks/raw-request.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let folder: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  app = await openTestApp()
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'brand/img/icons'), { recursive: true })
  writeFileSync(join(folder.path, 'brand/custom.css'), 'body { color: teal }')
  writeFileSync(
    join(folder.path, 'brand/img/logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  )
  writeFileSync(join(folder.path, 'brand/img/icons/a b.png'), 'png')
  writeFileSync(join(folder.path, 'secret'), 'secret')
  symlinkSync('../../secret', join(folder.path, 'brand/img/link'))
})
afterAll(async () => {
  await app.stop()
  folder.remove()
})

const get = (path: string, headers = {}) => app.anonymous.call('GET', path, undefined, headers)
const settings = (files: string) => app.admin.call('PUT', API.settings, { branding: { files } })

test('without a branding folder, the built-in logo and no stylesheet are served', async () => {
  expect(await outcome(get('/static/custom.css'))).toBe('404 notFound')
  expect(await (await get('/login')).text()).not.toContain('static/custom.css')
})

test('the folder’s stylesheet and pictures are served, without a restart @spec-7.50', async () => {
  expect((await settings(join(folder.path, 'brand'))).status).toBe(200)
  const css = await get('/static/custom.css')
  expect(css.headers.get('content-type')).toStartWith('text/css')
  expect(css.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await css.text()).toBe('body { color: teal }')
  const modified = css.headers.get('last-modified') ?? ''
  expect((await get('/static/custom.css', { 'If-Modified-Since': modified })).status).toBe(304)
  const page = await (await get('/login')).text()
  expect(page).toContain('<link rel="stylesheet" href="static/custom.css">')
  expect(page).toContain('"CSS":true')
  expect(await (await get('/static/img/icons/a%20b.png')).text()).toBe('png')
})

test('a branding picture that is opened in a tab of its own runs no script', async () => {
  const logo = await get('/static/img/logo.svg')
  expect(logo.headers.get('content-type')).toBe('image/svg+xml')
  expect(logo.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'")
})

test.each([
  ['/static/img/../../secret', 200],
  ['/static/img/..%2f..%2fsecret', 404],
  ['/static/img/link', 404],
  ['/static/img/icons', 404],
  ['/static/img/', 404],
  ['/static/brand/custom.css', 404],
])('the path %s serves no file outside the branding folder', async (path, expected) => {
  const { status, text } = await rawRequest(app.url, 'GET', path)
  expect(text).not.toContain('secret\n')
  expect(text.endsWith('secret')).toBe(false)
  expect(status).toBe(expected)
  if (status === 200) expect(text).toContain('<!doctype html>')
})
