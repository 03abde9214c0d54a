/** Audit records of opened files and of previews. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const acts = async (who: Client, query: string): Promise<AuditEntry[]> =>
  (await who.call('GET', `${API.audit}${query}`)).json()

test('a file that is opened again from the cache is recorded, and is the most recent one', async () => {
  for (const name of ['one.txt', 'two.txt']) writeFileSync(join(app.root, 'anna', name), name)
  const open = (name: string, how: { etag?: string | null; method?: string } = {}) =>
    app.anna.call(how.method ?? 'GET', `${API.raw}/${name}?inline=true`, undefined, {
      ...(how.etag && { 'If-None-Match': how.etag }),
    })
  const etag = (await open('one.txt')).headers.get('etag')
  const etagOfTwo = (await open('two.txt')).headers.get('etag')
  expect((await open('one.txt', { etag })).status).toBe(304)
  const recent = await (await app.anna.call('GET', API.recent)).json()
  expect(recent.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
    'one.txt',
    'two.txt',
  ])
  // Requests for one file within a few seconds are one opening: the interface and the browser send several.
  await open('one.txt', { method: 'HEAD' })
  await open('one.txt', { etag })
  const paths = async () => (await acts(app.anna, '?action=open&limit=4')).map(({ path }) => path)
  expect(await paths()).toEqual(['/one.txt', '/two.txt', '/one.txt'])
  // A program that only compares its copy does not download the file.
  const headers = { 'If-None-Match': `${etagOfTwo}` }
  const unchanged = await app.anna.call('GET', `${API.raw}/two.txt`, undefined, headers)
  expect(unchanged.status).toBe(304)
  expect(await acts(app.anna, '?action=download')).toEqual([])
})

test('a preview that is the file itself is recorded, and a smaller picture is not', async () => {
  const create = { width: 40, height: 30, channels: 3, background: 'teal' } as const
  const picture = sharp({ create })
  writeFileSync(join(app.root, 'anna/p.gif'), await picture.gif().toBuffer())
  writeFileSync(join(app.root, 'anna/p.png'), await picture.png().toBuffer())
  const preview = async (address: string) =>
    (await app.anna.call('GET', `${API.preview}/${address}`)).status
  // An animated picture has no large preview: the response is the file.
  expect(await preview('big/p.gif')).toBe(200)
  expect(await acts(app.anna, '?limit=1')).toMatchObject([{ action: 'download', path: '/p.gif' }])
  for (const address of ['big/p.gif?inline=true', 'big/p.png?inline=true', 'thumb/p.gif']) {
    expect(await preview(address)).toBe(200)
  }
  expect(await acts(app.anna, '?limit=1')).toMatchObject([{ action: 'open', path: '/p.gif' }])
})
