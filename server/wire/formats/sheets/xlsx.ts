/** Reads the sheets of XLSX (ECMA-376). Numbers and dates have the format of their cell. */

import { DocumentProblem } from '../document-problem.ts'
import { type CellFormat, cellFormatOf, formatCell } from './cell-format.ts'
import { type ScanPart, type Sheet, SheetBuilder, type SheetLimits } from './sheet.ts'

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'
const TEXTS = 'xl/sharedStrings.xml'
const STYLES = 'xl/styles.xml'
/** The names of the files in an XLSX archive that are read, besides the sheets. */
export const XLSX_PARTS: readonly string[] = [WORKBOOK, RELATIONS, TEXTS, STYLES]

/** Whether a file in an XLSX archive may be read. */
export function isXlsxPart(name: string): boolean {
  return /^xl\/.*\.(xml|rels)$/i.test(name)
}

/**
 * @param language the language whose number format is used
 * @throws DocumentProblem broken
 */
export function parseXlsx(scan: ScanPart, limits: SheetLimits, language: string): Sheet[] {
  const { sheets, from1904 } = readWorkbook(scan)
  const texts = readTexts(scan)
  const styles = readStyles(scan)
  const remaining = { cells: limits.cellsMax }
  return sheets.slice(0, limits.sheetsMax).map(({ name, path }) => {
    const builder = new SheetBuilder(name, remaining, limits)
    const isBold = (style: number) => styles[style]?.isBold === true
    readSheet(scan, path, builder, isBold, (type, style, value) => {
      if (type === 's') return texts[Number(value)] ?? ''
      if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
      if (type !== 'n') return value
      const format = styles[style]?.format ?? { kind: 'general' }
      return formatCell(Number(value), format, { language, from1904 })
    })
    return builder.build()
  })
}

/**
 * Reads which worksheets there are; `path` is the name of a sheet's file in the archive.
 *
 * @throws DocumentProblem broken
 */
export function readWorkbook(scan: ScanPart): {
  sheets: { name: string; path: string }[]
  from1904: boolean
} {
  const paths = new Map<string, string>()
  scan(RELATIONS, () => ({
    open(name, attribute) {
      const target = attribute('Target') ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      if (name === 'Relationship') paths.set(attribute('Id') ?? '', path)
    },
  }))
  const sheets: { name: string; path: string }[] = []
  let from1904 = false
  const hasWorkbook = scan(WORKBOOK, () => ({
    open(name, attribute) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attribute('date1904') ?? '')
      if (name !== 'sheet' || /hidden/i.test(attribute('state') ?? '')) return
      const path = paths.get(attribute('id') ?? '')
      // Only worksheets have cells: a chart can be a sheet too.
      if (path && /\/worksheets\//.test(path)) sheets.push({ name: attribute('name') ?? '', path })
    },
  }))
  if (!hasWorkbook) throw new DocumentProblem('broken')
  return { sheets, from1904 }
}

/** The texts that cells refer to by their number. */
function readTexts(scan: ScanPart): string[] {
  const texts: string[] = []
  let current = ''
  let isText = false
  let isPhonetic = false
  scan(TEXTS, () => ({
    open(name) {
      if (name === 'si') current = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    close(name) {
      if (name === 'si') texts.push(current)
      else if (name === 'rPh') isPhonetic = false
      else if (name === 't') isText = false
    },
    text(text) {
      if (isText) current += text
    },
  }))
  return texts
}

interface CellStyle {
  format: CellFormat
  isBold: boolean
}

/** The styles of cells, by their numbers. */
function readStyles(scan: ScanPart): CellStyle[] {
  const styles: CellStyle[] = []
  const codes = new Map<number, string>()
  /** Whether each font is bold. */
  const fonts: boolean[] = []
  let [isInFonts, isInCellStyles] = [false, false]
  scan(STYLES, () => ({
    open(name, attribute) {
      if (name === 'numFmt') {
        codes.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '')
      } else if (name === 'fonts') isInFonts = true
      else if (name === 'font' && isInFonts) fonts.push(false)
      else if (name === 'b' && isInFonts) {
        fonts[fonts.length - 1] = !/^(0|false)$/.test(attribute('val') ?? '')
      } else if (name === 'cellXfs') isInCellStyles = true
      else if (name === 'xf' && isInCellStyles) {
        const id = Number(attribute('numFmtId') ?? 0)
        const isBold = fonts[Number(attribute('fontId') ?? 0)] ?? false
        styles.push({ format: cellFormatOf(id, codes.get(id)), isBold })
      }
    },
    close(name) {
      if (name === 'fonts') isInFonts = false
      if (name === 'cellXfs') isInCellStyles = false
    },
  }))
  return styles
}

/** @returns the text of a cell; `style` is the index of its number format */
type ReadCell = (type: string, style: number, value: string) => string

function readSheet(
  scan: ScanPart,
  path: string,
  builder: SheetBuilder,
  isBold: (style: number) => boolean,
  readCell: ReadCell,
): void {
  let row = -1
  let column = -1
  let [type, style, value] = ['n', 0, '']
  let formula = ''
  let [isValue, isFormula] = [false, false]
  scan(path, (stop) => ({
    open(name, attribute) {
      if (name === 'pane' && /^frozen/.test(attribute('state') ?? '')) {
        builder.freezeRows(Number(attribute('ySplit') ?? 0))
      } else if (name === 'row') {
        row = Number(attribute('r') ?? row + 2) - 1
        column = -1
        if (builder.isCutAt(row)) stop()
      } else if (name === 'c') {
        column = columnOf(attribute('r')) ?? column + 1
        ;[type, style, value] = [attribute('t') ?? 'n', Number(attribute('s') ?? 0), '']
        formula = ''
      } else if (name === 'v' || name === 't') isValue = true
      else if (name === 'f') isFormula = true
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'f') isFormula = false
      else if (name === 'c' && value !== '') {
        builder.set(row, column, readCell(type, style, value), isBold(style))
      } else if (name === 'c' && formula !== '') {
        // Programs that write a file without calculating store no result.
        builder.set(row, column, `=${formula}`, isBold(style))
      }
    },
    text(text) {
      if (isValue) value += text
      else if (isFormula) formula += text
    },
  }))
}

/** `BC12` → 54; undefined without a reference. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
