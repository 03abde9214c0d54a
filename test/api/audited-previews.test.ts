/** Previews are not recorded, but a preview request that returns the file itself is. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { AuditEntry } from '#wire/audit.ts'
import { API } from '#wire/routes.ts'
import type { Client } from '../support/client.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const acts = async (who: Client, query: string): Promise<AuditEntry[]> =>
  (await who.call('GET', `${API.audit}${query}`)).json()

test('a preview that is the file itself is recorded, and a smaller picture is not', async () => {
  const create = { width: 40, height: 30, channels: 3, background: 'teal' } as const
  const picture = sharp({ create })
  writeFileSync(join(app.root, 'anna/p.gif'), await picture.gif().toBuffer())
  writeFileSync(join(app.root, 'anna/p.png'), await picture.png().toBuffer())
  await app.anna.call('GET', `${API.preview}/big/p.gif`)
  expect(await acts(app.anna, '?limit=1')).toMatchObject([{ action: 'download', path: '/p.gif' }])
  await app.anna.call('GET', `${API.preview}/big/p.gif?inline=true`)
  await app.anna.call('GET', `${API.preview}/big/p.png?inline=true`)
  await app.anna.call('GET', `${API.preview}/thumb/p.gif`)
  expect(await acts(app.anna, '?limit=1')).toMatchObject([{ action: 'open', path: '/p.gif' }])
})
