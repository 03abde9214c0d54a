/** Parses separated values into a table. */

import Papa from 'papaparse'

/** `both`: a comma and a semicolon each end a field, as in File Browser. */
export const SEPARATORS = {
  auto: '',
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  both: ',',
} as const
export type Separator = keyof typeof SEPARATORS

/** A table without its separator. */
export interface TableRows {
  /** The first row. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** The number of fields in the longest row: other rows may be shorter. */
  columns: number
  /** The cells in bold, as `row column` from 0. */
  bold?: ReadonlySet<string> | undefined
  /** The number of first rows that stay visible, and are neither sorted nor filtered. */
  frozenRows?: number | undefined
}

export interface Table extends TableRows {
  /** The separator that was used; detected for `auto`. */
  separator: Exclude<Separator, 'auto' | 'both'>
}

/** Parses a table; rows may have different lengths. */
export function parseTable(text: string, separator: Separator): Table {
  const stated = STATED_SEPARATOR.exec(text)
  const rest = text.slice(stated?.[0].length ?? 0)
  const { comma, semicolon, tab, pipe } = SEPARATORS
  const { data, meta } = Papa.parse<string[]>(
    separator === 'both' ? semicolonsToCommas(rest) : rest,
    {
      delimiter: SEPARATORS[separator] || (stated?.[1] ?? ''),
      delimitersToGuess: [comma, semicolon, tab, pipe],
      skipEmptyLines: true,
    },
  )
  const [head = [], ...rows] = data
  const detected = (['semicolon', 'tab', 'pipe'] as const).find(
    (one) => SEPARATORS[one] === meta.delimiter,
  )
  return {
    head,
    rows,
    columns: data.reduce((most, row) => Math.max(most, row.length), 0),
    separator: detected ?? 'comma',
  }
}

/** A first line that tells a spreadsheet the separator; it is no row. */
const STATED_SEPARATOR = /^\uFEFF?"?sep=([^\r\n])"?(?:\r\n|\r|\n|$)/i

/** Replaces separating semicolons with commas; semicolons inside quotes stay. */
function semicolonsToCommas(text: string): string {
  return text.replace(FIELD, (_field, separator: string, quoted: string) => {
    return separator.replace(';', ',') + quoted
  })
}

/** Matches a separator and, if the field after it is quoted, that field. Quotes only count at the start of a field. */
const FIELD = /([,;\r\n]|^)("(?:[^"]|"")*"|)/g
