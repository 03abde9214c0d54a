import { expect, test } from 'bun:test'
import '../../browser.ts'
import { columnWidths } from '#ui/features/table/column-widths.ts'
import { parseTable } from '#wire/formats/sheets/parse-table.ts'

test.each([
  ['a,b\n1,2', 'comma'],
  ['a;b\n"1,5";2', 'semicolon'],
  ['a\tb\n1\t2', 'tab'],
  ['alone', 'comma'],
] as const)('the table %p is separated by %s', (text, separator) => {
  expect(parseTable(text, 'auto').separator).toBe(separator)
})

test('a chosen separator is used', () => {
  const text = 'a;b,c\n1;2,3'
  expect(parseTable(text, 'comma').head).toEqual(['a;b', 'c'])
  expect(parseTable(text, 'semicolon').head).toEqual(['a', 'b,c'])
  expect(parseTable('a;b\tc,d', 'tab').head).toEqual(['a;b', 'c,d'])
})

test('both separators split fields at once, but not inside quotes', () => {
  const text = 'a;b,c\r\n"1;1","2""; 2";3\r\n;,x "y;z"'
  const { head, rows } = parseTable(text, 'both')
  expect(head).toEqual(['a', 'b', 'c'])
  expect(rows).toEqual([
    ['1;1', '2"; 2', '3'],
    ['', '', 'x "y', 'z"'],
  ])
})

test('a first field may be empty or quoted with both separators', () => {
  expect(parseTable(';a;b\n;c,d', 'both').head).toEqual(['', 'a', 'b'])
  expect(parseTable('"x;y";a\n1;2', 'both').head).toEqual(['x;y', 'a'])
})

test('a quoted field may contain separators, line ends and quotes', () => {
  const { rows } = parseTable('a,b\r\n"x, y","say ""hi""\nthere"\r\n', 'auto')
  expect(rows).toEqual([['x, y', 'say "hi"\nthere']])
})

test('all fields of rows with different lengths are kept, and empty lines are dropped', () => {
  const { rows, columns } = parseTable('a,b\n1\n\n1,2,3\n', 'comma')
  expect(rows).toEqual([['1'], ['1', '2', '3']])
  expect(columns).toBe(3)
})

test('an empty file is an empty table', () => {
  expect(parseTable('', 'auto')).toMatchObject({ head: [], rows: [], columns: 0 })
})

test('column widths follow the content, within limits', () => {
  const table = parseTable(`a,b\n1234567890,${'x'.repeat(500)}`, 'comma')
  expect(columnWidths(table)).toEqual([10, 42])
})

test.each([
  ['sep=;\r\na,b;c\r\n', ['a,b', 'c'], 'semicolon'],
  ['\uFEFFSEP=|\na|b\n', ['a', 'b'], 'pipe'],
  ['"sep=^"\na^b\n', ['a', 'b'], 'comma'],
  ['a|b\n1|2\n', ['a', 'b'], 'pipe'],
] as const)('%j has the separator that it states or uses', (text, head, separator) => {
  const table = parseTable(text, 'auto')
  expect(table.head).toEqual([...head])
  expect(table.separator).toBe(separator)
})

test('the first line that states the separator is no row with a chosen separator', () => {
  expect(parseTable('sep=;\na,b\n', 'comma').head).toEqual(['a', 'b'])
})
