/** The widths of the columns of a table. */

import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { TableRows } from '#wire/formats/sheets/parse-table.ts'

const WIDTH_MIN_CH = 6
const WIDTH_MAX_CH = 42

/** The width of each column in characters, from the first rows. */
export function columnWidths({ head, rows, columns }: TableRows): number[] {
  const sample = [head, ...rows.slice(0, ON_DEMAND_LIMITS.tableSampleRows)]
  return Array.from({ length: columns }, (_, index) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0)
    return Math.min(WIDTH_MAX_CH, Math.max(WIDTH_MIN_CH, longest))
  })
}
