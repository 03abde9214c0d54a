import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Usage } from '#wire/api/entry.ts'
import { urls } from '#wire/api/routes.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { outcome, outcomeWithReason } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

test('the usage is 401 without a session, and returns the used bytes of the disk to users @spec-7.29', async () => {
  expect(await outcome(app.anonymous.call('GET', urls.usage(ROOT)))).toBe('401 unauthenticated')
  for (const person of [app.anna, app.admin]) {
    const usage = (await (await person.call('GET', urls.usage(ROOT))).json()) as Usage
    expect(usage.total).toBeGreaterThan(0)
    expect(usage.used).toBeGreaterThan(0)
    expect(usage.used).toBeLessThanOrEqual(usage.total)
    const { bavail, blocks, bfree, bsize } = statfsSync(app.root)
    expect(Math.abs(usage.free - bavail * bsize)).toBeLessThan(2 ** 30)
    expect(Math.abs(usage.used - (blocks - bfree) * bsize)).toBeLessThan(2 ** 30)
  }
})

test('the usage of a file is zero, and that of a missing folder is 404 @spec-7.29', async () => {
  writeFileSync(join(app.root, 'anna', 'file'), 'x')
  const file = await app.anna.call('GET', '/api/usage/file')
  expect(await file.json()).toEqual({ total: 0, used: 0, free: 0 })
  expect(await outcome(app.anna.call('GET', urls.usage(parsePath('/missing'))))).toBe(
    '404 notFound',
  )
})

test('a name of the server is refused as reserved, and not for lack of a permission', async () => {
  for (const path of ['.filemgr', '.filemgr/', '.filemgr/trash/x']) {
    const created = app.admin.call('POST', `/api/resources/${path}`, path.endsWith('/') ? '' : 'x')
    expect(await outcomeWithReason(created)).toBe('403 forbidden; reason=nameReserved')
  }
})
