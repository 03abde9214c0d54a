/**
 * A picture of the first cells of a table: an SVG page, as of a text, which the browser draws with its own fonts.
 * Columns are as wide as their texts, within limits, and numbers stand at their end.
 */

import { printable } from '#server/lib/printable.ts'
import type { Cells } from './sheet-cells.ts'
import { escapeXml } from './text-picture.ts'
import type { Thumbnail } from './thumbnails.ts'

/** The page, in units of the drawing. */
const PAGE = 256
const FONT_SIZE = 10
const ROW_HEIGHT = 16
const PADDING = 5
/** The width of a character is not known: this is that of a wide font. */
const CHARACTER_WIDTH = 6
const COLUMN_MIN_CHARACTERS = 4
const COLUMN_MAX_CHARACTERS = 16

/** Numbers, also with a currency, a percent sign or separators, and dates. */
const NUMBER = /^[\p{Sc}\s+\u2212(-]*\d[\d\s.,:/'’\u202f\u00a0-]*[\p{Sc}\s%)]*$/u

/** @param px width and height of the picture */
export function sheetPicture({ rows, bold }: Cells, px: number): Thumbnail {
  const shown = rows.slice(0, Math.ceil(PAGE / ROW_HEIGHT))
  const columns = columnsOf(shown)
  const cells = shown.flatMap((row, rowIndex) =>
    columns.map(({ start, width }, column) =>
      cellOf(row[column] ?? '', {
        x: start,
        y: rowIndex * ROW_HEIGHT,
        width,
        isBold: bold?.has(`${rowIndex} ${column}`) === true,
      }),
    ),
  )
  const across = shown.map((_, index) => `M0 ${(index + 1) * ROW_HEIGHT}H${PAGE}`)
  const down = columns.map(({ start, width }) => `M${start + width} 0V${PAGE}`)
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px}" height="${px}" viewBox="0 0 ${PAGE} ${PAGE}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<path d="${[...across, ...down].join('')}" stroke="#dadce0" fill="none"/>`,
    `<g fill="#3c4043" font-family="system-ui,sans-serif" font-size="${FONT_SIZE}" style="white-space:pre">`,
    ...cells,
    '</g></svg>',
  ]
  return { bytes: Buffer.from(svg.join('')), type: 'image/svg+xml' }
}

interface Column {
  start: number
  width: number
}

/** The columns that begin on the page. */
function columnsOf(rows: Cells['rows']): Column[] {
  const columns: Column[] = []
  const count = Math.max(0, ...rows.map(({ length }) => length))
  for (let index = 0, start = 0; index < count && start < PAGE; index += 1) {
    const longest = Math.max(...rows.map((row) => row[index]?.length ?? 0))
    const characters = Math.min(COLUMN_MAX_CHARACTERS, Math.max(COLUMN_MIN_CHARACTERS, longest))
    const width = characters * CHARACTER_WIDTH + 2 * PADDING
    columns.push({ start, width })
    start += width
  }
  return columns
}

interface Box {
  x: number
  y: number
  width: number
  isBold: boolean
}

/** A cell; what is longer than its column ends at its edge. */
function cellOf(text: string, { x, y, width, isBold }: Box): string {
  const short = Array.from(printable(text))
    .slice(0, 2 * COLUMN_MAX_CHARACTERS)
    .join('')
  if (short.trim() === '') return ''
  const isNumber = NUMBER.test(short)
  const attributes = [
    `x="${isNumber ? width - PADDING : PADDING}"`,
    `y="${ROW_HEIGHT - PADDING}"`,
    ...(isNumber ? ['text-anchor="end"'] : []),
    ...(isBold ? ['font-weight="bold"'] : []),
  ]
  return `<svg x="${x}" y="${y}" width="${width}" height="${ROW_HEIGHT}"><text ${attributes.join(' ')}>${escapeXml(short)}</text></svg>`
}
