/** Previews of spreadsheets and tables: a page with their first cells. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import {
  encryptedDocument,
  odsOf,
  sheetRow,
  xlsxOf,
  zipBomb,
} from '../support/files/zipped-documents.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** 422 is the response of an office program that is installed. */
const NOTHING = /^(204|422 unprocessable)$/

const write = (name: string, content: Uint8Array | string) =>
  writeFileSync(join(app.root, 'anna', name), content)
const preview = (name: string) =>
  app.anna.call('GET', `${API.preview}/thumb/${encodeURIComponent(name)}`)

/** The texts of the cells in the picture, with a star before bold ones and `>` before those at the end of a cell. */
async function cellsOf(name: string): Promise<string[]> {
  const answer = await preview(name)
  expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
    name,
    200,
    'image/svg+xml',
  ])
  const svg = await answer.text()
  // Not read with sharp, in which other tests of this process have blocked SVG.
  expect(svg).toMatch(/^<svg xmlns="[^"]+" width="256" /)
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)</g)].map(([, attributes = '', text = '']) => {
    return `${attributes.includes('bold') ? '*' : ''}${attributes.includes('end') ? '>' : ''}${text}`
  })
}

test('a spreadsheet shows the first cells of its first sheet, formatted', async () => {
  const rows = `${sheetRow(1, ['Item', 'a &amp; &lt;b&gt;'])}<row r="2"><c r="A2" t="inlineStr"><is><t>Bread</t></is></c><c r="B2" s="1"><v>0.125</v></c></row>`
  write('a.xlsx', xlsxOf({ First: rows, Second: sheetRow(1, ['hidden']) }, ['0.0%']))
  expect(await cellsOf('a.xlsx')).toEqual(['Item', 'a &amp; &lt;b&gt;', 'Bread', '>12.5%'])
  const row = (...cells: string[]) =>
    `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const table = (name: string, body: string) =>
    `<table:table table:name="${name}">${body}</table:table>`
  write('b.ods', odsOf(table('A', row('Name', '1,50 €')) + table('B', row('hidden'))))
  expect(await cellsOf('b.ods')).toEqual(['Name', '>1,50 €'])
})

test('a table of separated values has columns, and its first row is bold', async () => {
  write('a.csv', 'Day;Sum\n2024-05-01;1,5\n')
  expect(await cellsOf('a.csv')).toEqual(['*Day', '*Sum', '>2024-05-01', '>1,5'])
  write('latin.tsv', Buffer.from('Gr\xfc\xdfe\tb\n', 'latin1'))
  expect(await cellsOf('latin.tsv')).toEqual(['*Grüße', '*b'])
})

test('only the beginning of a large sheet is unpacked', async () => {
  const many = Array.from({ length: 40_000 }, (_, at) => sheetRow(at + 1, ['x', at])).join('')
  write('large.xlsx', xlsxOf({ A: many }))
  const cells = await cellsOf('large.xlsx')
  expect(cells.slice(0, 4)).toEqual(['x', '>0', 'x', '>1'])
  expect(cells.length).toBeLessThan(40)
  const rows = Array.from({ length: 40_000 }, () => {
    return '<table:table-row><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row>'
  })
  write('large.ods', odsOf(`<table:table table:name="A">${rows.join('')}</table:table>`))
  expect((await cellsOf('large.ods'))[0]).toBe('y')
})

test('without cells, a spreadsheet shows the picture that it contains', async () => {
  const lime = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'lime' } })
    .png()
    .toBuffer()
  write('chart.ods', odsOf('', { files: { 'Thumbnails/thumbnail.png': lime } }))
  const answer = await preview('chart.ods')
  expect((await sharp(await answer.bytes()).stats()).dominant.g).toBeGreaterThan(200)
  write('empty.xlsx', xlsxOf({ A: '' }))
  expect(await outcome(preview('empty.xlsx'))).toMatch(NOTHING)
})

test('what is damaged, encrypted or a bomb has no preview', async () => {
  write('damaged.xlsx', zipSync({ 'xl/workbook.xml': strToU8('<a><<') }))
  write('no.xlsx', zipSync({ 'other.xml': strToU8('<a/>') }))
  write('secret.xlsx', encryptedDocument())
  write('secret.ods', odsOf('', { encrypted: true }))
  for (const name of ['damaged.xlsx', 'no.xlsx', 'secret.xlsx', 'secret.ods']) {
    expect([name, await outcome(preview(name))]).toEqual([name, '422 unprocessable'])
  }
  write('bomb.xlsx', zipBomb('xl/workbook.xml'))
  expect(await outcome(preview('bomb.xlsx'))).toMatch(NOTHING)
})
