import { expect, test } from 'bun:test'
import '../../browser.ts'
import {
  numberIn,
  numericColumns,
  rowFilter,
  sortableDate,
  sortedRows,
} from '#ui/features/table/row-order.ts'
import { parseTable } from '#wire/formats/sheets/parse-table.ts'

test.each([
  ['12', 12],
  ['-1,5', -1.5],
  ['1.234,5', 1234.5],
  ['1,234.5', 1234.5],
  ['1 234', 1234],
  ['1.234.567', 1_234_567],
  ['12 %', 12],
  ['1,234,567.8', 1_234_567.8],
  ['1.234.567,8', 1_234_567.8],
  ['5.', 5],
  ['.5', 0.5],
])('the cell %p is the number %p', (text, number) => {
  expect(numberIn(text)).toBe(number)
})

test.each([
  '',
  '-',
  'a1',
  '1a',
  '1.2.3',
  '1.234.567.8',
  '1,23.4',
  '10.0.0.1',
  '12:30',
  '2024-01-02',
  ',',
])('the cell %p is no number', (text) => {
  expect(numberIn(text)).toBeNaN()
})

test.each([
  ['31.12.2025', '2025-12-31'],
  ['1. 2. 2026 10:30', '2026-02-01 10:30'],
  ['3.4.20256', '3.4.20256'],
  ['1/2/2026', '1/2/2026'],
  ['10.0.0.1', '10.0.0.1'],
])('the date %p is sorted as %p', (text, sorted) => {
  expect(sortableDate(text)).toBe(sorted)
})

test('dates with points are sorted by year, month and day', () => {
  const dates = parseTable('Day\n03.02.2025\n11.12.2024\n01.01.2025', 'comma')
  expect(sortedRows(dates, [0, 1, 2], { column: 0, asc: true }, false)).toEqual([1, 2, 0])
})

const table = parseTable('name,sum\nÉva,10\nadam,9\n,\nbo,100\nCarl,text', 'comma')

test('a column is numeric if its cells that are not empty are numbers, except for a heading in the first row', () => {
  const columns = numericColumns(parseTable('a,b,c,d,e\n1,x,,sum,\n"2,5",y,,3,7', 'comma'))
  expect(columns).toEqual([true, false, false, true, true])
  expect(numericColumns(parseTable('a,b\n1,x', 'comma'))).toEqual([true, false])
})

test('rows are found by words, in any column, without case and accents', () => {
  const find = rowFilter(table)
  expect(find('')).toEqual([0, 1, 2, 3, 4])
  expect(find('EVA')).toEqual([0])
  expect(find('10 bo')).toEqual([3])
})

test('rows are sorted by text or number, in both directions, and empty cells are last', () => {
  const all = rowFilter(table)('')
  expect(sortedRows(table, all, { column: 0, asc: true }, false)).toEqual([1, 3, 4, 0, 2])
  expect(sortedRows(table, all, { column: 0, asc: false }, false)).toEqual([0, 4, 3, 1, 2])
  expect(sortedRows(table, all, { column: 1, asc: true }, true)).toEqual([1, 0, 3, 4, 2])
})

test('equal cells of a large table keep their order when it is sorted', () => {
  const many = parseTable(
    `head\n${Array.from({ length: 6000 }, (_, index) => `n${index % 7}`).join('\n')}`,
    'comma',
  )
  const sorted = sortedRows(many, rowFilter(many)(''), { column: 0, asc: false }, false)
  expect(sorted.slice(0, 3)).toEqual([6, 13, 20])
})

test('rows that stay visible are neither found nor sorted', () => {
  const table = { head: ['A'], rows: [['b'], ['c'], ['a']], columns: 1, frozenRows: 1 }
  expect(rowFilter(table)('')).toEqual([1, 2])
})
