import { expect, test } from 'bun:test'
import { parseLines, parseWords } from '#ui/features/settings/inputs/parse-lists.ts'

test('words are separated by spaces, lines by line ends; empty ones are dropped @spec-5.7', () => {
  expect(parseWords('  git   ls\ttar ')).toEqual(['git', 'ls', 'tar'])
  expect(parseWords(' ')).toEqual([])
  expect(parseLines('echo $FILE\r\n\n  \nlogger "a b"\n')).toEqual(['echo $FILE', 'logger "a b"'])
})
