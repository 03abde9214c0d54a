/** Which rows of a table are shown, and in which order. */

import { filterByName } from '#ui/lib/entries/filter.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { TableRows } from '#wire/formats/sheets/parse-table.ts'

export interface ColumnSorting {
  /** The index of the column. */
  column: number
  asc: boolean
}

const SPACES_AND_SIGNS = /[\s\u00a0\u202f'’%]/g
const COMMA_GROUPS = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const POINT_GROUPS = /^[-+]?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/
const DAY_FIRST = /^\s*(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/
const PLAIN = /^[-+]?(?:\d+[.,]?\d*|[.,]\d+)$/

/**
 * @returns for each column whether all its cells that are not empty are numbers; the first row may be a heading. Only
 *   the first rows are read (`tableSampleRows`)
 */
export function numericColumns({ rows, columns }: TableRows): boolean[] {
  const sample = rows.slice(0, ON_DEMAND_LIMITS.tableSampleRows)
  return Array.from({ length: columns }, (_, column) => {
    const [first, ...rest] = sample.map((row) => row[column] ?? '')
    const cells = rest.filter((cell) => cell.trim() !== '')
    const areNumbers = cells.every((cell) => !Number.isNaN(numberIn(cell)))
    return areNumbers && (cells.length > 0 || !Number.isNaN(numberIn(first ?? '')))
  })
}

/** @returns the number that a cell shows, such as `1,5`, `1 234.5` or `12 %`; NaN if it shows none */
export function numberIn(cell: string): number {
  const text = cell.replace(SPACES_AND_SIGNS, '')
  if (PLAIN.test(text)) return Number(text.replace(',', '.'))
  if (COMMA_GROUPS.test(text)) return Number(text.replaceAll(',', ''))
  if (POINT_GROUPS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  return Number.NaN
}

/** Creates a function that finds rows by words, once for a table, because this normalizes all texts. */
export function rowFilter({ rows, frozenRows = 0 }: TableRows): (text: string) => number[] {
  const named = rows.map((row, index) => ({ name: row.join(' '), index })).slice(frozenRows)
  return (text) => filterByName(named, text).map(({ index }) => index)
}

/**
 * Sorts rows by a column.
 *
 * @param indexes the indexes of the rows to sort
 * @returns the sorted indexes; rows whose cell is empty are last in both directions
 */
export function sortedRows(
  { rows }: TableRows,
  indexes: readonly number[],
  { column, asc }: ColumnSorting,
  isNumeric: boolean,
): number[] {
  const cellOf = (index: number) => rows[index]?.[column] ?? ''
  const isEmpty = (index: number) => cellOf(index).trim() === ''
  const filled = indexes.filter((index) => !isEmpty(index))
  const empty = indexes.filter(isEmpty)
  const textOf = (index: number) => sortableDate(cellOf(index))
  const compare = isNumeric ? byNumber(cellOf) : byText(textOf, filled.length)
  const direction = asc ? 1 : -1
  return [...filled.toSorted((a, b) => direction * compare(a, b) || a - b), ...empty]
}

/**
 * @returns a date such as `31.12.2025` as `2025-12-31`, and any other text unchanged: the order of day and month in a
 *   date with slashes is unknown
 */
export function sortableDate(text: string): string {
  return text.replace(DAY_FIRST, (_, day: string, month: string, year: string) => {
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  })
}

type Compare = (a: number, b: number) => number

function byNumber(cellOf: (index: number) => string): Compare {
  const known = new Map<number, number>()
  const numberOf = (index: number) => {
    const number = known.get(index) ?? numberIn(cellOf(index))
    known.set(index, number)
    return number
  }
  // A cell that is no number, which is possible below the rows that `numericColumns` reads, is after all numbers.
  return (a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)]
    if (Number.isNaN(one) || Number.isNaN(other))
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other))
    return one - other
  }
}

function byText(cellOf: (index: number) => string, count: number): Compare {
  if (count > UI_LIMITS.ownAlphabetMax) {
    return (a, b) => (cellOf(a) < cellOf(b) ? -1 : cellOf(a) > cellOf(b) ? 1 : 0)
  }
  const collator = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true })
  return (a, b) => collator.compare(cellOf(a), cellOf(b))
}
