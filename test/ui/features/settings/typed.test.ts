import { expect, test } from 'bun:test'
import { chunkSizeOf } from '#ui/features/settings/chunk-size.ts'
import { parseLines, parseWords } from '#ui/features/settings/parse-lists.ts'
import { formatEnglishSize } from '#wire/units.ts'

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

test.each([1, 1024, 10 * MIB, 1.5 * 1024 * MIB])(
  '%p bytes are the same after formatting and parsing',
  (bytes) => {
    expect(chunkSizeOf(formatEnglishSize(bytes))).toBe(bytes)
  },
)

test('words are separated by spaces, lines by line ends; empty ones are dropped', () => {
  expect(parseWords('  git   ls\ttar ')).toEqual(['git', 'ls', 'tar'])
  expect(parseWords(' ')).toEqual([])
  expect(parseLines('echo $FILE\r\n\n  \nlogger "a b"\n')).toEqual(['echo $FILE', 'logger "a b"'])
})
