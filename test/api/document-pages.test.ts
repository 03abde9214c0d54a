/** Previews of office documents that contain no preview, made with LibreOffice. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (name: string) => join(app.root, 'anna', name)
const preview = (name: string, size = 'thumb') =>
  app.anna.call('GET', `${API.preview}/${size}/${encodeURIComponent(name)}`)

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** A document in Rich Text Format with a red table cell, and a text. */
const DOCUMENT = String.raw`{\rtf1\ansi{\colortbl;\red255\green0\blue0;}
\trowd\trrh9000\clcbpat1\cellx9000\pard\intbl Hello\cell\row\pard Some text\par}`

async function colourAtTop(answer: Response): Promise<string> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const { dominant } = await sharp(await answer.bytes()).stats()
  return dominant.r > 200 && dominant.g < 60 ? 'red' : 'other'
}

test('an office document shows its first page, whatever its name is @spec-7.24', async () => {
  for (const name of ['page.doc', 'page.rtf', '-env:x ü.doc']) {
    writeFileSync(disk(name), DOCUMENT)
    expect([name, await colourAtTop(await preview(name))]).toEqual([name, 'red'])
  }
}, 120_000)

test('a document that cannot be read has no preview', async () => {
  writeFileSync(disk('broken.docx'), 'PK no document')
  expect(await outcome(preview('broken.docx'))).toBe('422 unprocessable')
  expect(await outcome(preview('broken.docx', 'big'))).toBe('422 unprocessable')
}, 120_000)

test('a document with links to other pictures shows none of them', async () => {
  await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
    .png()
    .toFile(disk('red.png'))
  writeFileSync(disk('links.doc'), flatDocument(`file://${disk('red.png')}`))
  const answer = await preview('links.doc', 'big')
  const { channels } = await sharp(await answer.bytes()).stats()
  // A red picture would leave a third of the page without green.
  expect(channels[1]?.mean).toBeGreaterThan(240)
}, 120_000)

/** An OpenDocument text in one XML file (ODF 1.3, part 3, 3.1.2) with pictures from these URLs. */
function flatDocument(...urls: string[]): string {
  const frames = urls.map(
    (url) =>
      `<draw:frame svg:width="15cm" svg:height="9cm" text:anchor-type="as-char"><draw:image xlink:href="${url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`,
  )
  const names = ['office', 'text', 'drawing', 'svg-compatible'].map((name) => {
    const prefix = { drawing: 'draw', 'svg-compatible': 'svg' }[name] ?? name
    return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
  })
  const attributes = [
    '',
    ...names,
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'office:version="1.2"',
    'office:mimetype="application/vnd.oasis.opendocument.text"',
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<office:document',
    attributes.join(' '),
    '>',
    '<office:body><office:text><text:p>x',
    ...frames,
    '</text:p></office:text></office:body></office:document>',
  ].join('')
}
