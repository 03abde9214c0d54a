/** The limits of the audit log take from the user with the most records, uploads first. */
import type { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { AuditRows } from '#server/db/rows/audit.ts'
import { fairShare } from '#server/db/rows/fair-share.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
let rows: AuditRows
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'f.db'))
  rows = new AuditRows(db)
})
afterEach(() => {
  db.close()
  folder.remove()
})

function record(userId: number, action: 'upload' | 'rename', count = 1): void {
  const common = { username: '', session: '', address: '', path: '', to: '', whom: '', share: '' }
  const numbers = { atMs: 1, bytes: 0, status: 200, times: 1, entry: 0 }
  const one = { ...common, ...numbers, userId, action, fault: '' }
  rows.insert(Array.from({ length: count }, () => one))
}

const kept = () =>
  rows.find({}, 100, Number.MAX_SAFE_INTEGER).map(({ userId, action }) => `${userId} ${action}`)

test('a record of a rename outlasts the uploads of its user, and of others', () => {
  record(1, 'rename')
  record(2, 'rename')
  record(2, 'upload', 20)
  expect(rows.forget(0, 5)).toBe(true)
  expect(kept().toSorted()).toEqual(['1 rename', '2 rename', '2 upload', '2 upload', '2 upload'])
  expect(rows.forget(0, 5)).toBe(false)
})

test('the size of the records is taken from the user with the most', () => {
  record(1, 'rename')
  record(2, 'rename')
  record(2, 'upload', 20)
  rows.removeOldest(rows.sizeBytes() / 2)
  const present = kept()
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
