/** The size of a page of audit records. */
import { expect, test } from 'bun:test'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows } from '#server/db/rows/audit.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { API } from '#wire/api/routes.ts'
import { openTestApp } from '../support/server/test-app.ts'

const MIB = 2 ** 20

test('a page with long names of three bytes for each character is at most 4 MiB of JSON', async () => {
  const app = await openTestApp()
  const database = openDatabase(app.database)
  await new AuditRows(new SqliteDatabase(database, async () => undefined)).insert(
    Array.from({ length: 1000 }, () => ({
      atMs: Date.now(),
      userId: 1,
      username: 'admin',
      session: 's',
      address: '127.0.0.1',
      action: 'upload' as const,
      path: `/${'\u4e16'.repeat(2000)}`,
      to: '',
      whom: '',
      bytes: 0,
      status: 201,
      share: '',
      times: 1,
      fault: '',
      entry: 0,
    })),
  )
  database.close()
  const response = await app.admin.call('GET', `${API.audit}?limit=1000`)
  const page = await response.arrayBuffer()
  expect(page.byteLength).toBeGreaterThan(4 * MIB - 10_000)
  expect(page.byteLength).toBeLessThanOrEqual(4 * MIB)
  await app.stop()
})
