/** Reads the sheets of ODS (OpenDocument 1.3). A cell has the text that it displays in the spreadsheet program. */

import { DocumentProblem } from '../document-problem.ts'
import { readBoldStyles, readFrozenRows } from './ods-styles.ts'
import { type ScanPart, type Sheet, SheetBuilder, type SheetLimits } from './sheet.ts'

const CONTENT = 'content.xml'
const STYLES = 'styles.xml'
const SETTINGS = 'settings.xml'
const MANIFEST = 'META-INF/manifest.xml'
/** The names of the files in an ODS archive that are read. */
export const ODS_PARTS: readonly string[] = [CONTENT, STYLES, SETTINGS, MANIFEST]

/** Whether a file in an ODS archive is read. */
export function isOdsPart(name: string): boolean {
  return ODS_PARTS.includes(name)
}

/** @throws DocumentProblem encrypted, broken */
export function parseOds(scan: ScanPart, limits: SheetLimits): Sheet[] {
  scan(MANIFEST, () => ({
    open(name) {
      if (name === 'encryption-data') throw new DocumentProblem('encrypted')
    },
  }))
  const boldStyles = readBoldStyles(scan, [STYLES, CONTENT], limits.styleParentsMax)
  const frozenRows = readFrozenRows(scan, SETTINGS)
  const remaining = { cells: limits.cellsMax }
  const sheets: Sheet[] = []
  let builder: SheetBuilder | undefined
  let [row, column, rowRepeats, cellRepeats] = [0, 0, 1, 1]
  let [text, paragraphDepth, ignoredDepth, isRowOpen] = ['', 0, 0, false]
  let cells: Cell[] = []
  let cellStyle: string | undefined
  let rowStyle: string | undefined
  /** The styles of cells without one, and the columns before which each ends. */
  let columnStyles: { end: number; style: string | undefined }[] = []
  const isBold = () => {
    const ofColumn = () => columnStyles.find(({ end }) => column < end)?.style
    return boldStyles.size > 0 && boldStyles.has(cellStyle ?? rowStyle ?? ofColumn() ?? '')
  }
  const hasContent = scan(CONTENT, (stop) => ({
    open(name, attribute) {
      if (name === 'table') {
        if (sheets.length === limits.sheetsMax) stop()
        const sheet = attribute('name') ?? ''
        builder = new SheetBuilder(sheet, remaining, limits)
        builder.freezeRows(frozenRows.get(sheet) ?? 0)
        ;[row, columnStyles] = [0, []]
      } else if (name === 'table-column') {
        const end =
          (columnStyles.at(-1)?.end ?? 0) + repeatsOf(attribute('number-columns-repeated'))
        columnStyles.push({ end, style: attribute('default-cell-style-name') })
      } else if (name === 'table-row') {
        ;[column, rowRepeats, cells] = [0, repeatsOf(attribute('number-rows-repeated')), []]
        ;[isRowOpen, rowStyle] = [true, attribute('default-cell-style-name')]
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        ;[text, cellRepeats] = ['', repeatsOf(attribute('number-columns-repeated'))]
        cellStyle = attribute('style-name')
      } else if (isIgnored(name)) ignoredDepth += 1
      else if (name === 'p' && ignoredDepth === 0) {
        if (text !== '') text += ' '
        paragraphDepth += 1
      } else if (paragraphDepth > 0 && ignoredDepth === 0)
        text += spaceOf(name, attribute, limits.spacesMax)
    },
    close(name) {
      if (isIgnored(name)) ignoredDepth -= 1
      else if (name === 'p' && ignoredDepth === 0) paragraphDepth -= 1
      else if (name === 'table-cell' || name === 'covered-table-cell') {
        // The text of a covered cell is hidden by the cell that spans it.
        const isShown = text !== '' && name === 'table-cell'
        if (isShown) cells.push({ column, repeats: cellRepeats, text, isBold: isBold() })
        column += cellRepeats
      } else if (name === 'table-row' && isRowOpen) {
        if (cells.length > 0 && builder)
          writeRows(builder, { row, repeats: rowRepeats, cells }, limits)
        row += rowRepeats
        isRowOpen = false
      } else if (name === 'table' && builder) {
        sheets.push(builder.build())
        builder = undefined
      }
    },
    text(part) {
      if (paragraphDepth > 0 && ignoredDepth === 0) text += part
    },
  }))
  if (!hasContent) throw new DocumentProblem('broken')
  // The end is missing if only the beginning was unpacked.
  if (builder) sheets.push(builder.build())
  return sheets
}

/** Whether the paragraphs of an element in a cell are not the text of the cell. */
function isIgnored(name: string): boolean {
  return name === 'annotation' || name === 'text-box'
}

interface Cell {
  column: number
  repeats: number
  text: string
  isBold: boolean
}

interface RepeatedRow {
  row: number
  repeats: number
  cells: readonly Cell[]
}

/** Adds a row to the sheet, with its cells; both as often as they are repeated, within the limits of a sheet. */
function writeRows(
  builder: SheetBuilder,
  { row, repeats, cells }: RepeatedRow,
  limits: SheetLimits,
): void {
  // One row more than the limit, so that the builder marks the sheet as cut.
  const lastRow = Math.min(row + repeats, limits.rowsMax + 1)
  for (let rowIndex = row; rowIndex < Math.max(lastRow, row + 1); rowIndex++) {
    for (const { column, repeats, text, isBold } of cells) {
      const end = Math.max(column + 1, Math.min(column + repeats, limits.columnsMax + 1))
      for (let cell = column; cell < end; cell++) builder.set(rowIndex, cell, text, isBold)
    }
    if (builder.isCutAt(rowIndex)) return
  }
}

/** The white space that an element stands for; empty for other elements. */
function spaceOf(
  name: string,
  attribute: (name: string) => string | undefined,
  spacesMax: number,
): string {
  if (name === 's') {
    return ' '.repeat(Math.min(repeatsOf(attribute('c')), spacesMax))
  }
  return name === 'tab' || name === 'line-break' ? ' ' : ''
}

function repeatsOf(text: string | undefined): number {
  const repeats = Number(text ?? 1)
  return Number.isInteger(repeats) && repeats > 0 ? repeats : 1
}
