import { useMemo, useRef } from 'react'
import { formatNumber } from '#ui/i18n/format.ts'
import { columnWidths, type TableRows } from './parse-table.ts'
import { useRows } from './use-rows.ts'
import './TableGrid.css'

/** The height of a row in CSS pixels; the style sheet has the same value. */
const ROW_PX = 32

/** The table. It is virtualized: only rows near the viewport are rendered, so 50 000 scroll smoothly. */
export function TableGrid({ table, label }: { table: TableRows; label: string }) {
  const scroller = useRef<HTMLElement>(null)
  const { rows, head, columns } = table
  const { first, last } = useRows(scroller, rows.length, ROW_PX)
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
        aria-rowcount={rows.length + 1}
        aria-colcount={columns + 1}
        style={{ marginBlock: `${first * ROW_PX}px ${(rows.length - last) * ROW_PX}px` }}
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
              <th key={index} scope="col" dir="auto" title={head[index]}>
                {head[index]}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {numbered(rows, first, last).map(({ row, number }) => (
            <tr key={number} aria-rowindex={number + 1}>
              <th scope="row" className="TableGrid__at">
                {formatNumber(number)}
              </th>
              {indexes.map((index) => (
                <td key={index} dir="auto" title={row[index]}>
                  {row[index]}
                </td>
              ))}
              <td />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function numbered(rows: TableRows['rows'], first: number, last: number) {
  return rows.slice(first, last).map((row, index) => ({ row, number: first + index + 1 }))
}
