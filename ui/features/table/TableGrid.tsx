import { type CSSProperties, useMemo, useRef, useState } from 'react'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { printedTable } from '#ui/components/print/printed.ts'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { emPx } from '#ui/lib/page/em-px.ts'
import type { TableRows } from '#wire/formats/sheets/parse-table.ts'
import { columnWidths } from './column-widths.ts'
import { type ColumnSorting, numericColumns, rowFilter, sortedRows } from './row-order.ts'
import { useRows } from './use-rows.ts'
import './TableGrid.css'

/** The height of a row in rem; the style sheet has the same value. */
const ROW_EM = 2

interface TableGridProps {
  table: TableRows
  label: string
  /** Words that a shown row contains. */
  filter?: string
}

/**
 * The table, sorted by a click on a column. It is virtualized: only rows near the viewport are rendered, so that 50 000
 * rows scroll smoothly.
 */
export function TableGrid({ table, label, filter = '' }: TableGridProps) {
  const scroller = useRef<HTMLElement>(null)
  const { rows, head, columns, frozenRows = 0 } = table
  const [sorting, setSorting] = useState<ColumnSorting>()
  const isNumeric = useMemo(() => numericColumns(table), [table])
  const find = useMemo(() => rowFilter(table), [table])
  const matchingRows = useMemo(() => find(filter), [find, filter])
  const order = useMemo(
    () =>
      sorting
        ? sortedRows(table, matchingRows, sorting, isNumeric[sorting.column] ?? false)
        : matchingRows,
    [table, matchingRows, sorting, isNumeric],
  )
  usePrintSheet(() => {
    const shown = [...rows.keys()].slice(0, frozenRows).concat(order)
    const isBold = (row: number, column: number) =>
      table.bold?.has(`${shown[row]} ${column}`) === true
    return printedTable({ head, rows: shown.map((row) => rows[row] ?? []), isNumeric, isBold })
  })
  const rowPx = ROW_EM * emPx()
  const { first, last } = useRows(scroller, order.length, rowPx)
  const widths = useMemo(() => columnWidths(table), [table])
  const indexes = widths.map((_, index) => index)
  return (
    <section
      ref={scroller}
      className="TableGrid"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <table
        aria-rowcount={order.length + frozenRows + 1}
        aria-colcount={columns + 1}
        style={{ marginBlock: `${first * rowPx}px ${(order.length - last) * rowPx}px` }}
      >
        <colgroup>
          <col className="TableGrid__number" />
          {indexes.map((index) => (
            <col key={index} style={{ inlineSize: `calc(${widths[index]}ch + var(--space-6))` }} />
          ))}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <td />
            {indexes.map((index) => (
              <th
                key={index}
                scope="col"
                data-numeric={isNumeric[index] || undefined}
                aria-sort={ariaSort(index, sorting)}
              >
                <button
                  type="button"
                  className="TableGrid__sort"
                  title={head[index]}
                  onClick={() => setSorting(nextSorting(index, sorting))}
                >
                  <bdi>{head[index]}</bdi>
                  {sorting?.column === index && (
                    <Icon name={sorting.asc ? 'arrow-up' : 'arrow-down'} />
                  )}
                </button>
              </th>
            ))}
            <td />
          </tr>
          {rows.slice(0, frozenRows).map((_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not move
            <Row key={row} table={table} row={row} ariaIndex={row + 2} isNumeric={isNumeric} />
          ))}
        </thead>
        <tbody>
          {order.slice(first, last).map((row, position) => (
            <Row
              key={row}
              table={table}
              row={row}
              ariaIndex={first + frozenRows + position + 2}
              isNumeric={isNumeric}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  table: TableRows
  /** The index of the row in the table. */
  row: number
  ariaIndex: number
  isNumeric: readonly boolean[]
}

function Row({ table: { rows, bold, frozenRows = 0 }, row, ariaIndex, isNumeric }: RowProps) {
  const isFrozen = row < frozenRows
  // React's type of styles does not include custom properties.
  const style = { '--table-row': row } as CSSProperties
  return (
    <tr
      aria-rowindex={ariaIndex}
      className={isFrozen ? 'TableGrid__frozen' : undefined}
      {...(isFrozen && { style })}
    >
      <th scope="row" className="TableGrid__at">
        {formatNumber(row + 1)}
      </th>
      {isNumeric.map((isNumber, index) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move
          key={index}
          dir={isNumber ? undefined : 'auto'}
          data-numeric={isNumber || undefined}
          data-bold={bold?.has(`${row} ${index}`) || undefined}
          title={rows[row]?.[index]}
        >
          {isNumber ? <bdi>{rows[row]?.[index]}</bdi> : rows[row]?.[index]}
        </td>
      ))}
      <td />
    </tr>
  )
}

/** The first click sorts upwards, the second downwards, the third restores the order of the file. */
function nextSorting(column: number, sorting: ColumnSorting | undefined) {
  if (sorting?.column !== column) return { column, asc: true }
  return sorting.asc ? { column, asc: false } : undefined
}

function ariaSort(column: number, sorting: ColumnSorting | undefined) {
  if (sorting?.column !== column) return undefined
  return sorting.asc ? 'ascending' : 'descending'
}
