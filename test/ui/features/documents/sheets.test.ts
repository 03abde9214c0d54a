import { describe, expect, test } from 'bun:test'
import { readOds, readXlsx } from '#ui/features/documents/spreadsheet.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { cellFormatOf, formatCell } from '#wire/formats/sheets/cell-format.ts'
import { columnName } from '#wire/formats/sheets/sheet.ts'
import {
  encryptedDocument,
  odsOf,
  sheetRow,
  xlsxOf,
  zipBomb,
} from '../../../support/files/zipped-documents.ts'

const SHOWN = { rows: ON_DEMAND_LIMITS.sheetRowsMax, columns: ON_DEMAND_LIMITS.sheetColumnsMax }

const reasonOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof Error && 'kind' in error) return String(error.kind)
  }
  return 'none'
}

describe('XLSX', () => {
  test('sheets have their names, texts and numbers', () => {
    const sheets = readXlsx(xlsxOf({ A: sheetRow(1, ['x &amp; y', 1.5]), B: '' }), 'en')
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
      ['A', [['x & y', '1.5']]],
      ['B', []],
    ])
  })

  test('empty rows and cells before a cell are kept', () => {
    const [sheet] = readXlsx(xlsxOf({ A: '<row r="3"><c r="C3"><v>7</v></c></row>' }), 'en')
    expect(sheet?.rows).toEqual([[], [], ['', '', '7']])
  })

  test('cells have the format of their style', () => {
    const styles = ['0.0%', 'yyyy\\-mm\\-dd', '[h]:mm:ss', '#,##0.00']
    const cell = (at: number, value: number) =>
      `<c r="${'ABCD'[at]}1" s="${at + 1}"><v>${value}</v></c>`
    const row = `<row r="1">${[0.125, 45413, 0.5, 1234.5].map((value, at) => cell(at, value)).join('')}</row>`
    const [sheet] = readXlsx(xlsxOf({ A: row }, styles), 'en')
    expect(sheet?.rows[0]).toEqual(['12.5%', '2024-05-01', '12:00', '1,234.50'])
  })

  test('bold cells and first rows that stay visible are known; a formula without a result is shown', () => {
    const head = '<row r="1"><c r="A1" s="1" t="inlineStr"><is><t>Sum</t></is></c></row>'
    const row = '<row r="2"><c r="A2"><f>SUM(B1:B9)</f></c><c r="B2"><f>1+1</f><v>2</v></c></row>'
    const [sheet] = readXlsx(xlsxOf({ A: head + row }, [], 1), 'en')
    expect(sheet?.rows).toEqual([['Sum'], ['=SUM(B1:B9)', '2']])
    expect([...(sheet?.bold ?? [])]).toEqual(['0 0'])
    expect(sheet?.frozenRows).toBe(1)
    const [many] = readXlsx(xlsxOf({ A: head + row }, [], 100), 'en')
    expect(many?.frozenRows).toBeUndefined()
  })

  test('a cell beyond the limits is left out, and the sheet is marked as cut', () => {
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    const [sheet] = readXlsx(xlsxOf({ A: sheetRow(1, ['here']) + far }), 'en')
    expect(sheet).toEqual({ name: 'A', rows: [['here']], columns: 1, cut: SHOWN })
  })

  test('rows and columns after the limit are left out', () => {
    const wide = Array.from(
      { length: ON_DEMAND_LIMITS.sheetColumnsMax + 1 },
      () => '<c><v>1</v></c>',
    ).join('')
    const rows = Array.from(
      { length: ON_DEMAND_LIMITS.sheetRowsMax + 5 },
      () => '<row><c><v>1</v></c></row>',
    )
    const [sheet] = readXlsx(xlsxOf({ A: `<row>${wide}</row>${rows.join('')}` }), 'en')
    expect(sheet?.columns).toBe(ON_DEMAND_LIMITS.sheetColumnsMax)
    expect(sheet?.rows.length).toBe(ON_DEMAND_LIMITS.sheetRowsMax)
    expect(sheet?.cut).toEqual(SHOWN)
  })

  test('an XLSX file that is encrypted, too large or broken is refused with this reason', () => {
    expect(reasonOf(() => readXlsx(encryptedDocument(), 'en'))).toBe('encrypted')
    expect(reasonOf(() => readXlsx(zipBomb('xl/workbook.xml'), 'en'))).toBe('tooLarge')
    expect(reasonOf(() => readXlsx(Buffer.from('PK'), 'en'))).toBe('broken')
    expect(reasonOf(() => readXlsx(xlsxOf({ A: '<row><c></row>' }), 'en'))).toBe('broken')
  })
})

describe('ODS', () => {
  const cell = (text: string, more = '') =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
  const table = (rows: string) => odsOf(`<table:table table:name="T">${rows}</table:table>`)
  const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`

  test('a cell or row that the file declares as repeated is shown as often', () => {
    const repeated = row(
      cell('a', 'table:number-columns-repeated="2"'),
      'table:number-rows-repeated="2"',
    )
    const [sheet] = readOds(table(repeated + row(`<table:table-cell/>${cell('b')}`)))
    expect(sheet?.rows).toEqual([
      ['a', 'a'],
      ['a', 'a'],
      ['', 'b'],
    ])
  })

  test('a million repeated rows are limited, and the sheet is marked as cut', () => {
    const many = 'table:number-rows-repeated="1048576"'
    const [sheet] = readOds(table(row(cell('a', 'table:number-columns-repeated="16384"'), many)))
    expect(sheet?.cut?.rows).toBe(sheet?.rows.length)
    expect(sheet?.columns).toBe(ON_DEMAND_LIMITS.sheetColumnsMax)
    expect((sheet?.rows.length ?? 0) * ON_DEMAND_LIMITS.sheetColumnsMax).toBeLessThanOrEqual(
      ON_DEMAND_LIMITS.sheetCellsMax,
    )
    const [empty] = readOds(table(row('<table:table-cell/>', many) + row(cell('end'))))
    expect(empty).toEqual({ name: 'T', rows: [], columns: 0, cut: SHOWN })
  })

  test('comments are not part of the text of a cell', () => {
    const note = '<office:annotation><text:p>note</text:p></office:annotation>'
    const [sheet] = readOds(
      table(row(`<table:table-cell>${note}<text:p>a</text:p></table:table-cell>`)),
    )
    expect(sheet?.rows).toEqual([['a']])
  })

  test('white space has its length, and hidden texts and text boxes are not part of a cell', () => {
    const text = cell('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d')
    const covered = '<table:covered-table-cell><text:p>hidden</text:p></table:covered-table-cell>'
    const box = '<draw:text-box><text:p>box</text:p></draw:text-box>'
    const [sheet] = readOds(table(row(text + covered + cell(`e${box}`))))
    expect(sheet?.rows).toEqual([['a   b c d', '', 'e']])
  })

  test('bold cells and first rows that stay visible are known', () => {
    const style = (name: string, weight: string, parent = '') =>
      `<style:style style:name="${name}" style:family="table-cell"${parent}>${weight}</style:style>`
    const bold = '<style:text-properties fo:font-weight="bold"/>'
    const normal = '<style:text-properties fo:font-weight="normal"/>'
    const cell = (text: string, name?: string) =>
      `<table:table-cell${name ? ` table:style-name="${name}"` : ''}><text:p>${text}</text:p></table:table-cell>`
    const named = `<styles xmlns:style="s" xmlns:fo="f">${style('Heading', bold)}</styles>`
    const item = (name: string, value: number) =>
      `<config:config-item config:name="${name}">${value}</config:config-item>`
    const view = (sheet: string, mode: number) =>
      `<config:config-item-map-entry config:name="${sheet}">${item('VerticalSplitMode', mode)}${item('VerticalSplitPosition', 1)}</config:config-item-map-entry>`
    const settings = `<settings xmlns:config="c"><config:config-item-map-entry><config:config-item-map-named config:name="Tables">${view('T', 2)}${view('U', 1)}</config:config-item-map-named>${item('ActiveTable', 1)}</config:config-item-map-entry></settings>`
    const columns =
      '<table:table-column table:number-columns-repeated="2" table:default-cell-style-name="own"/><table:table-column table:default-cell-style-name="b"/>'
    const rows = [
      `<table:table-row>${cell('a', 'h')}${cell('b')}${cell('c')}${cell('d')}</table:table-row>`,
      `<table:table-row table:default-cell-style-name="b">${cell('e')}${cell('f', 'n')}</table:table-row>`,
    ]
    const body = ['T', 'U'].map(
      (name) => `<table:table table:name="${name}">${columns}${rows.join('')}</table:table>`,
    )
    const [sheet, other] = readOds(
      odsOf(body.join(''), {
        styles: [
          style('b', '<style:text-properties fo:font-weight="700"/>'),
          style('h', '', ' style:parent-style-name="Heading"'),
          style('n', normal, ' style:parent-style-name="Heading"'),
          style('own', '', ' style:parent-style-name="own"'),
        ].join(''),
        files: { 'styles.xml': Buffer.from(named), 'settings.xml': Buffer.from(settings) },
      }),
    )
    expect(sheet?.rows).toEqual([
      ['a', 'b', 'c', 'd'],
      ['e', 'f'],
    ])
    expect([...(sheet?.bold ?? [])]).toEqual(['0 0', '0 2', '1 0'])
    expect([sheet?.frozenRows, other?.frozenRows]).toEqual([1, undefined])
  })

  test('an ODS file that is encrypted or too large is refused with this reason', () => {
    expect(reasonOf(() => readOds(odsOf('', { encrypted: true })))).toBe('encrypted')
    expect(reasonOf(() => readOds(zipBomb('content.xml')))).toBe('tooLarge')
  })
})

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (at, name) => {
  expect(columnName(at)).toBe(name)
})

test.each([
  [14, undefined, 45413.75, '2024-05-01'],
  [22, undefined, 45413.75, '2024-05-01 18:00'],
  [9, undefined, 0.5, '50%'],
  [46, undefined, 1.5, '36:00'],
  [164, '[hh]:mm:ss', 2 + 5 / 86_400, '48:00:05'],
  [164, '[h]:mm', 0.25, '06:00'],
  [164, '"km" 0.0', 2, '2.0'],
  [164, 'General', 0.1 + 0.2, '0.3'],
  [164, 'd "of" mmm', 45413, '2024-05-01'],
  [164, '@', 7, '7'],
])('the cell format %i with the code %p shows %f as %s', (id, code, value, text) => {
  expect(formatCell(value, cellFormatOf(id, code), { language: 'en' })).toBe(text)
})
