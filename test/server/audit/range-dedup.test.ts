import { expect, test } from 'bun:test'
import { RangeDedup } from '#server/audit/range-dedup.ts'
import type { NewAuditRecord } from '#server/db/rows/audit.ts'

const HOUR_MS = 60 * 60_000
const piece = (changes: Partial<NewAuditRecord> = {}): NewAuditRecord => ({
  atMs: 0,
  userId: 1,
  username: 'anna',
  session: 's',
  address: '192.0.2.1',
  action: 'download',
  path: '/film',
  to: '',
  whom: '',
  bytes: 1,
  status: 206,
  share: '',
  times: 1,
  fault: '',
  entry: 0,
  ...changes,
})

test('several reads of one file by one client in one window are one download', () => {
  const dedup = new RangeDedup()
  expect(dedup.continues(piece())).toBe(false)
  expect(dedup.continues(piece({ atMs: HOUR_MS - 1 }))).toBe(true)
  expect(dedup.continues(piece({ atMs: 2 * HOUR_MS - 2 }))).toBe(true)
  expect(dedup.continues(piece({ atMs: 3 * HOUR_MS }))).toBe(false)
})

test.each<[string, Partial<NewAuditRecord>]>([
  ['a read by another session', { session: 'other' }],
  ['a read of another file', { path: '/b' }],
  ['a read through another share', { share: 'x' }],
  ['a read without a session', { session: '' }],
])('%s is another download', (_, changes) => {
  const dedup = new RangeDedup()
  dedup.continues(piece())
  expect(dedup.continues(piece(changes))).toBe(false)
})

test('the number of remembered reads is limited, and the latest ones stay', () => {
  const dedup = new RangeDedup()
  for (let n = 0; n <= 20_000; n += 1) dedup.continues(piece({ path: `/${n}` }))
  expect(dedup.continues(piece({ path: '/20000' }))).toBe(true)
  expect(dedup.continues(piece({ path: '/0' }))).toBe(false)
})
