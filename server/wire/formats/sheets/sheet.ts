/** The sheets of a spreadsheet, as far as they are shown. */

import type { scanXml } from '../scan-xml.ts'

/**
 * Scans an XML file in the archive of the spreadsheet.
 *
 * @returns whether it exists
 * @throws DocumentProblem broken
 */
export type ScanPart = (name: string, listen: Parameters<typeof scanXml>[1]) => boolean

/** How much of a spreadsheet is read. */
export interface SheetLimits {
  sheetsMax: number
  rowsMax: number
  columnsMax: number
  /** The cells of all sheets together. */
  cellsMax: number
  /** More rows that stay visible would leave no room for others. */
  frozenRowsMax: number
  /** The spaces in a row that one element stands for. */
  spacesMax: number
  /** The parents of a style; the limit also ends a cycle. */
  styleParentsMax: number
}

export interface Sheet {
  name: string
  rows: readonly (readonly string[])[]
  /** The number of cells in the longest row. */
  columns: number
  /** The cells in bold, as `row column` from 0. */
  bold?: ReadonlySet<string> | undefined
  /** The number of first rows that the sheet keeps visible. */
  frozenRows?: number | undefined
  /** Set if the sheet has more than is shown: the numbers of rows and columns that are shown. */
  cut?: { rows: number; columns: number } | undefined
}

/** Fills a sheet cell by cell. Cells outside of the limits are left out and take no memory. */
export class SheetBuilder {
  readonly #name: string
  readonly #remaining: { cells: number }
  readonly #limits: SheetLimits
  readonly #rows: string[][] = []
  readonly #bold = new Set<string>()
  #columns = 0
  #frozenRows = 0
  #isCut = false

  /** @param remaining the number of cells that may still be added, in all sheets of the spreadsheet together */
  constructor(name: string, remaining: { cells: number }, limits: SheetLimits) {
    this.#name = name
    this.#remaining = remaining
    this.#limits = limits
  }

  /** Whether a cell was left out, and no cell of this row and of later rows can be added any more. */
  isCutAt(row: number): boolean {
    return this.#isCut && (row >= this.#limits.rowsMax || this.#remaining.cells <= 0)
  }

  /** The first rows stay visible, as many as leave room for others. */
  freezeRows(count: number): void {
    if (count > 0 && count <= this.#limits.frozenRowsMax) this.#frozenRows = Math.floor(count)
  }

  /** Sets the text of a cell; `row` and `column` are counted from 0. */
  set(row: number, column: number, text: string, isBold = false): void {
    if (text === '' || !(row >= 0) || !(column >= 0)) return
    const { rowsMax: rows, columnsMax: columns } = this.#limits
    // Gaps before the cell are cells too.
    const missing = column + 1 - (this.#rows[row]?.length ?? 0)
    if (row >= rows || column >= columns || missing > this.#remaining.cells) {
      this.#isCut = true
      // Later cells are left out too, so that the sheet has no gaps.
      if (row < rows && column < columns) this.#remaining.cells = 0
      return
    }
    while (this.#rows.length <= row) this.#rows.push([])
    const cells = this.#rows[row] ?? []
    this.#remaining.cells -= Math.max(0, missing)
    while (cells.length < column) cells.push('')
    cells[column] = text
    if (isBold) this.#bold.add(`${row} ${column}`)
    this.#columns = Math.max(this.#columns, column + 1)
  }

  build(): Sheet {
    const { rowsMax: rows, columnsMax: columns } = this.#limits
    const shown = this.#remaining.cells > 0 ? rows : this.#rows.length
    return {
      name: this.#name,
      rows: this.#rows,
      columns: this.#columns,
      ...(this.#bold.size > 0 && { bold: this.#bold }),
      ...(this.#frozenRows > 0 && { frozenRows: Math.min(this.#frozenRows, this.#rows.length) }),
      cut: this.#isCut ? { rows: shown, columns } : undefined,
    }
  }
}

/** The name of a column: A to Z, then AA. */
export function columnName(index: number): string {
  const lastLetter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? lastLetter : columnName(Math.floor(index / 26) - 1) + lastLetter
}
