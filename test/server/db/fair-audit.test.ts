/** The limits of the audit log take from the user with the most records, uploads first. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows } from '#server/db/rows/audit.ts'
import { fairShare } from '#server/db/rows/fair-share.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: AuditRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new AuditRows(new SqliteDatabase(db, async () => undefined))
})
afterEach(() => {
  db.close()
  folder.remove()
})

async function record(userId: number, action: 'upload' | 'rename', count = 1): Promise<void> {
  const common = { username: '', session: '', address: '', path: '', to: '', whom: '', share: '' }
  const numbers = { atMs: 1, bytes: 0, status: 200, times: 1, entry: 0 }
  const one = { ...common, ...numbers, userId, action, fault: '' }
  await rows.insert(Array.from({ length: count }, () => one))
}

const kept = async () =>
  (await rows.find({}, 100, Number.MAX_SAFE_INTEGER)).map(
    ({ userId, action }) => `${userId} ${action}`,
  )

test('a record of a rename outlasts the uploads of its user, and of others', async () => {
  await record(1, 'rename')
  await record(2, 'rename')
  await record(2, 'upload', 20)
  expect(await rows.forget(0, 5)).toBe(true)
  expect((await kept()).toSorted()).toEqual([
    '1 rename',
    '2 rename',
    '2 upload',
    '2 upload',
    '2 upload',
  ])
  expect(await rows.forget(0, 5)).toBe(false)
})

test('the size of the records is taken from the user with the most', async () => {
  await record(1, 'rename')
  await record(2, 'rename')
  await record(2, 'upload', 20)
  await rows.removeOldest((await rows.sizeBytes()) / 2)
  const present = await kept()
  expect(present).toContain('1 rename')
  expect(present).toContain('2 rename')
  expect(present.length).toBeLessThanOrEqual(11)
  expect(present.length).toBeGreaterThan(8)
})

test('a fair share takes only from those with the most', () => {
  expect(fairShare([1, 2, 3], 6)).toBe(Number.POSITIVE_INFINITY)
  expect(fairShare([1, 10, 10], 11)).toBe(5)
  expect(fairShare([100], 7)).toBe(7)
  expect(fairShare([], 0)).toBe(Number.POSITIVE_INFINITY)
})
