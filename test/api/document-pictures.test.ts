/** Previews of documents from the pictures that they contain. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let [lime, red]: Uint8Array[] = []
beforeAll(async () => {
  app = await openTestApp()
  lime = await pictureOf('lime')
  red = await pictureOf('red')
})
afterAll(() => app.stop())

function pictureOf(background: string): Promise<Uint8Array> {
  return sharp({ create: { width: 300, height: 400, channels: 3, background } })
    .png()
    .toBuffer()
}

const write = (name: string, files: Record<string, Uint8Array | string | undefined>) => {
  const parts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? strToU8(content) : (content ?? new Uint8Array()),
  ])
  writeFileSync(join(app.root, 'anna', name), zipSync(Object.fromEntries(parts)))
}
const preview = (name: string) =>
  app.anna.call('GET', `${API.preview}/thumb/${encodeURIComponent(name)}`)

async function expectColour(name: string, channel: 'r' | 'g'): Promise<void> {
  const answer = await preview(name)
  expect([name, answer.status]).toEqual([name, 200])
  const { dominant } = await sharp(await answer.bytes()).stats()
  expect(dominant[channel]).toBeGreaterThan(200)
}

/** @param description the OPF file */
const book = (description: string, files: Record<string, Uint8Array | undefined>) => ({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml':
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf">${description}</package>`,
  ...files,
})

test('office documents show the preview that they contain', async () => {
  write('a.odt', { 'content.xml': '<a/>', 'Thumbnails/thumbnail.png': lime })
  write('b.DOCX', { 'word/document.xml': '<a/>', 'docProps/thumbnail.jpeg': lime })
  write('c.key', { 'preview.jpg': lime })
  for (const name of ['a.odt', 'b.DOCX', 'c.key']) await expectColour(name, 'g')
})

test('a white picture, as libraries store it, is none', async () => {
  const white = await pictureOf('white')
  write('white.key', { 'preview.jpg': white })
  expect(await outcome(preview('white.key'))).toBe('204')
  const line = await sharp(white)
    .composite([{ input: await sharp(red).resize(1, 9).png().toBuffer(), left: 20, top: 20 }])
    .png()
    .toBuffer()
  write('line.key', { 'preview.jpg': line })
  expect(await outcome(preview('line.key'))).toBe('200')
})

test('a book shows its cover, as EPUB 3 or EPUB 2 names it', async () => {
  const items =
    '<item id="one" href="one.png" media-type="image/png"/><item id="two" href="../pics/the%20cover.png" media-type="image/png"/>'
  const files = { 'OEBPS/one.png': red, 'pics/the cover.png': lime }
  write(
    'three.epub',
    book(
      `<manifest>${items.replace('id="two"', 'id="two" properties="svg cover-image"')}</manifest>`,
      files,
    ),
  )
  write(
    'two.epub',
    book(
      `<metadata><meta content="two" name="cover"/></metadata><manifest>${items}</manifest>`,
      files,
    ),
  )
  await expectColour('three.epub', 'g')
  await expectColour('two.epub', 'g')
})

test('a document without a picture, or a damaged one, has no preview', async () => {
  write('plain.key', { 'Index.zip': 'x' })
  write('none.epub', book('<manifest/>', {}))
  write(
    'lost.epub',
    book(
      '<metadata><meta name="cover" content="x"/></metadata><manifest><item id="x" href="gone.png"/></manifest>',
      {},
    ),
  )
  write('words.epub', book('<<<', {}))
  const coverAt = (href: string) =>
    `<manifest><item id="x" properties="cover-image" href="${href}"/></manifest>`
  write('percent.epub', book(coverAt('%E0%A4%A.png'), {}))
  write('address.epub', book(coverAt('http://['), {}))
  write('text.odt', { 'Thumbnails/thumbnail.png': 'no picture' })
  writeFileSync(join(app.root, 'anna', 'broken.xlsx'), 'PK not a zip')
  const outcomes = {
    'plain.key': '204',
    'none.epub': '204',
    'lost.epub': '204',
    'words.epub': '422 unprocessable',
    'percent.epub': '422 unprocessable',
    'address.epub': '422 unprocessable',
    'text.odt': '422 unprocessable',
    'broken.xlsx': '422 unprocessable',
  }
  for (const [name, expected] of Object.entries(outcomes)) {
    expect([name, await outcome(preview(name))]).toEqual([name, expected])
  }
})

test('a contained picture that is larger than a preview may be is not unpacked', async () => {
  const zeros = new Uint8Array(33 * 2 ** 20)
  write('bomb.odt', { 'Thumbnails/thumbnail.png': zeros })
  expect(await outcome(preview('bomb.odt'))).toBe('413 tooLarge')
  const text = `<container>${' '.repeat(2 ** 20)}</container>`
  write('long.epub', { 'META-INF/container.xml': text })
  expect(await outcome(preview('long.epub'))).toBe('413 tooLarge')
})

test('a user without the right to download gets no preview of a document', async () => {
  write('secret.odt', { 'Thumbnails/thumbnail.png': lime })
  const mute = await app.person(
    'mute',
    '--scope',
    '/anna',
    '--perm.download=false',
    '--perm.share=false',
  )
  const answer = mute.call('GET', `${API.preview}/thumb/secret.odt`)
  expect(await outcome(answer)).toBe('403 forbidden')
})
