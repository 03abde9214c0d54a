/** The sheets of a spreadsheet, as far as they are shown. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

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
  readonly #rows: string[][] = []
  readonly #bold = new Set<string>()
  #columns = 0
  #frozenRows = 0
  #isCut = false

  /** @param remaining the number of cells that may still be added, in all sheets of the spreadsheet together */
  constructor(name: string, remaining: { cells: number }) {
    this.#name = name
    this.#remaining = remaining
  }

  /** Whether a cell was left out, and no cell of this row and of later rows can be added any more. */
  isCutAt(row: number): boolean {
    return this.#isCut && (row >= ON_DEMAND_LIMITS.sheetRowsMax || this.#remaining.cells <= 0)
  }

  /** The first rows stay visible, as many as leave room for others. */
  freezeRows(count: number): void {
    if (count > 0 && count <= ON_DEMAND_LIMITS.sheetFrozenRowsMax)
      this.#frozenRows = Math.floor(count)
  }

  /** Sets the text of a cell; `row` and `column` are counted from 0. */
  set(row: number, column: number, text: string, isBold = false): void {
    if (text === '' || !(row >= 0) || !(column >= 0)) return
    const { sheetRowsMax: rows, sheetColumnsMax: columns } = ON_DEMAND_LIMITS
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
    const { sheetRowsMax: rows, sheetColumnsMax: columns } = ON_DEMAND_LIMITS
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
