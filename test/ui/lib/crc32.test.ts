/** The checksum of the interface is that of zlib. */
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { crc32 as ofZlib } from 'node:zlib'
import { crc32 } from '#ui/lib/crc32.ts'

test('the checksum of parts is that of the whole', () => {
  for (const size of [0, 1, 1000, 100_000]) {
    const bytes = new Uint8Array(randomBytes(size))
    const middle = Math.floor(size / 3)
    const sum = crc32(bytes.subarray(middle), crc32(bytes.subarray(0, middle)))
    expect([size, sum]).toEqual([size, ofZlib(bytes)])
  }
})
