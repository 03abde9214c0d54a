/** Text with separators as a table. */
import Papa from 'papaparse'

/** `both`: a comma and a semicolon each end a field, as in File Browser. */
export const SEPARATORS = { auto: '', comma: ',', semicolon: ';', tab: '\t', both: ',' } as const
export type Separator = keyof typeof SEPARATORS

export interface Table {
  /** The first row. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Of the longest row: the others end early. */
  columns: number
  /** Which one was found. */
  separator: Exclude<Separator, 'auto' | 'both'>
}

/** Reads a table; rows of different lengths are no failure. */
export function parseTable(text: string, wanted: Separator): Table {
  const { data, meta } = Papa.parse<string[]>(wanted === 'both' ? withCommas(text) : text, {
    delimiter: SEPARATORS[wanted],
    delimitersToGuess: [SEPARATORS.comma, SEPARATORS.semicolon, SEPARATORS.tab],
    skipEmptyLines: true,
  })
  const [head = [], ...rows] = data
  const found = (['semicolon', 'tab'] as const).find((one) => SEPARATORS[one] === meta.delimiter)
  return {
    head,
    rows,
    columns: data.reduce((most, row) => Math.max(most, row.length), 0),
    separator: found ?? 'comma',
  }
}

/** The text with a comma for each semicolon that separates: those inside quotes stay. */
function withCommas(text: string): string {
  return text.replace(FIELD, (_field, start: string, content: string) => {
    return start.replace(';', ',') + content
  })
}

/** What begins a field, and the field: quotes begin one only at its start. */
const FIELD = /(^|[,;\r\n])("(?:[^"]|"")*"|)/g

const ROWS_MEASURED = 200
const NARROWEST = 6
const WIDEST = 42

/** How wide each column should be, in characters, by the rows at the top. */
export function columnWidths({ head, rows, columns }: Table): number[] {
  const sample = [head, ...rows.slice(0, ROWS_MEASURED)]
  return Array.from({ length: columns }, (_, at) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0)
    return Math.min(WIDEST, Math.max(NARROWEST, longest))
  })
}
