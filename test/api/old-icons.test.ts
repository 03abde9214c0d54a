/** Icons at the addresses of File Browser's interface, which home screens and bookmarks keep. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--base-url', '/drive'] })
})
afterAll(() => app.stop())

const icon = async (name: string) => {
  const answer = await app.anonymous.call('GET', `/static/img/icons/${name}`)
  await answer.body?.cancel()
  return `${answer.status} ${answer.headers.get('content-type')}`
}

test.each([
  ['favicon.svg', 'image/svg+xml; charset=utf-8'],
  ['favicon.ico', 'image/png'],
  ['favicon-32x32.png', 'image/png'],
  ['apple-touch-icon.png', 'image/png'],
  ['android-chrome-192x192.png', 'image/png'],
  ['android-chrome-512x512.png', 'image/png'],
  ['mstile-144x144.png', 'image/png'],
  ['safari-pinned-tab.svg', 'image/svg+xml; charset=utf-8'],
])('%s answers', async (name, type) => {
  expect(await icon(name)).toBe(`200 ${type}`)
})

test('no other old address of an icon is served', async () => {
  for (const name of ['', 'browserconfig.xml', 'a/b.png', '../logo', 'x.js']) {
    expect((await icon(name)).slice(0, 3)).toBe('404')
  }
})

test('icons of the operator come before those of the product', async () => {
  const look = join(app.root, '..', 'look')
  mkdirSync(join(look, 'img/icons'), { recursive: true })
  writeFileSync(join(look, 'img/icons/favicon.ico'), 'ours')
  writeFileSync(join(look, 'img/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await app.runCommand('config', 'set', 'branding.files', look)
  const own = await app.anonymous.call('GET', '/static/img/icons/favicon.ico')
  expect(await own.text()).toBe('ours')
  const logo = await app.anonymous.call('GET', '/static/img/icons/favicon.svg')
  expect(await logo.text()).toContain('<svg')
})
