import { expect, test } from 'bun:test'
import { freeBytes } from '#server/lib/received-bytes.ts'

test('a part of a larger buffer is not freed, because others may use the rest', () => {
  const all = new Uint8Array(8).fill(7)
  freeBytes(all.subarray(0, 4))
  expect(all).toEqual(new Uint8Array(8).fill(7))
})
