/** Previews of what is in the trash, and when it will be deleted: for those who may see the item and download. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { DAY_MS } from '#wire/units.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--trash-days', '7'] })
})
afterAll(() => app.stop())

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

async function itemOf(path: string, who = app.anna): Promise<TrashItemInfo> {
  const items: TrashItemInfo[] = await (await who.call('GET', API.trash)).json()
  const item = items.find((one) => one.path === path)
  if (!item) throw new Error(`${path} is not in the trash.`)
  return item
}

async function deleted(name: string, content: Uint8Array | string): Promise<TrashItemInfo> {
  writeFileSync(join(app.root, 'anna', name), content)
  expect(await outcome(app.anna.call('DELETE', `${API.resources}/${name}`))).toBe('204')
  return itemOf(`/${name}`)
}

const preview = (id: number | string, who: Client = app.anna, size = 'thumb') =>
  who.call('GET', `${API.trashPreview}/${size}?id=${id}`)

test('deleted pictures and texts have previews, other content has none', async () => {
  const small = await preview((await deleted('red.png', await picture())).id)
  expect(small.headers.get('content-type')).toBe('image/jpeg')
  const text = await preview((await deleted('note.txt', 'remember')).id)
  expect(await text.text()).toContain('>remember<')
  expect(await outcome(preview((await deleted('x.bin', 'x')).id))).toBe('415 unsupported')
  expect(await outcome(preview((await deleted('broken.png', 'x')).id))).toBe('422 unprocessable')
  mkdirSync(join(app.root, 'anna/album.png'))
  await app.anna.call('DELETE', `${API.resources}/album.png`)
  expect(await outcome(preview((await itemOf('/album.png')).id))).toBe('415 unsupported')
})

test('a preview of the trash needs the right to download, and to see the original path', async () => {
  const { id } = await deleted('private.png', await picture())
  expect(await outcome(preview(id, app.anonymous))).toBe('401 unauthenticated')
  expect(await outcome(preview(id, await app.withoutDownload()))).toBe('403 forbidden')
  mkdirSync(join(app.root, 'bob'))
  const bob = await app.person('bob', '--scope', '/bob')
  expect(await outcome(preview(id, bob))).toBe('404 notFound')
  await app.person('ruled', '--scope', '/anna')
  await app.runCommand('rules', 'add', '/private.png', '--user', 'ruled')
  const ruled = await signIn(app.url, 'ruled', PASSWORD)
  expect(await outcome(preview(id, ruled))).toBe('404 notFound')
  expect(await outcome(preview(id, app.admin))).toBe('200')
  for (const wrong of ['', 'x', '1.5']) {
    expect(await outcome(preview(wrong))).toBe('400 badRequest')
  }
  expect(await outcome(preview(id, app.anna, 'vast'))).toBe('400 badRequest')
  await app.anna.call('DELETE', `${API.trash}?id=${id}`)
  expect(await outcome(preview(id))).toBe('404 notFound')
})

test('the trash says when an item will be deleted permanently', async () => {
  const { time, expires } = await deleted('ages', 'ages')
  expect(Date.parse(expires ?? '')).toBe(Date.parse(time) + 7 * DAY_MS)
})
