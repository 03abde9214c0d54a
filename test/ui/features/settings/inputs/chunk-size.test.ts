import { expect, test } from 'bun:test'
import { chunkSizeOf, chunkSizeText } from '#ui/features/settings/inputs/chunk-size.ts'

const MIB = 1024 ** 2

test.each([
  ['10 MB', 10 * MIB],
  ['10m', 10 * MIB],
  ['1.5G', 1.5 * 1024 * MIB],
  ['512 KB', MIB / 2],
  ['2 TB', 2 * 1024 ** 2 * MIB],
  ['2048', 2048],
  ['2048B', 2048],
  ['', MIB],
  ['0', MIB],
  ['ten', MIB],
  ['-5 MB', MIB],
  ['10 PB', MIB],
])('the size %p is parsed as %p bytes', (text, bytes) => {
  expect(chunkSizeOf(text)).toBe(bytes)
})

test.each([
  [1, '1 B'],
  [10 * MIB, '10 MiB'],
  [1.5 * MIB, '1536 KiB'],
  [1023 * 1024, '1023 KiB'],
  [1_000_001, '1000001 B'],
  [MIB ** 2, '1024 GiB'],
])('%d bytes are shown as %p, which is parsed as the same size @spec-5.6', (bytes, text) => {
  expect(chunkSizeText(bytes)).toBe(text)
  expect(chunkSizeOf(text)).toBe(bytes)
})
