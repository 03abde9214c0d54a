import { expect, test } from 'bun:test'
import { ctimeMsOf } from '#server/storage/local/changes/changed-since.ts'

test.each([
  [5_000_000n, 5],
  [5_000_001n, 6],
  [5_000_999n, 6],
  [5_999_999n, 6],
])('a ctime of %p ns is rounded up to %p ms', (ctimeNs, expected) => {
  expect(ctimeMsOf({ ctimeNs })).toBe(expected)
})
