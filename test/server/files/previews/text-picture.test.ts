import { expect, test } from 'bun:test'
import { TEXT_START_BYTES, textPicture } from '#server/files/previews/text-picture.ts'

const encoder = new TextEncoder()

/** The lines of the page. */
function linesOf(start: Uint8Array): string[] {
  const svg = new TextDecoder().decode(textPicture(start, 256).bytes)
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line = '']) => line)
}

test('a picture of a text wraps long lines, and ends with the last line', () => {
  expect(linesOf(encoder.encode(`${'a'.repeat(50)}\r\nb\rc`))).toEqual([
    'a'.repeat(42),
    'aaaaaaaa',
    'b',
    'c',
  ])
  expect(linesOf(encoder.encode('x\n'.repeat(1000)))).toHaveLength(19)
  expect(linesOf(encoder.encode('x'.repeat(TEXT_START_BYTES)))).toHaveLength(19)
})

test('texts in UTF-8, UTF-16 and Windows-1252 are read, and an incomplete last character is left out', () => {
  expect(linesOf(encoder.encode('Grüße'))).toEqual(['Grüße'])
  expect(linesOf(encoder.encode('ab€').subarray(0, 4))).toEqual(['ab'])
  expect(linesOf(new Uint8Array([0xff, 0xfe, 0x47, 0, 0xfc, 0]))).toEqual(['Gü'])
  expect(linesOf(new Uint8Array([0xfe, 0xff, 0, 0x47, 0, 0xfc]))).toEqual(['Gü'])
  expect(linesOf(Buffer.from('Grüße', 'latin1'))).toEqual(['Grüße'])
})

test('a text of an older encoding is read in the probable one', () => {
  const japanese = Buffer.from(
    '93fa967b8cea82cc8365834c8358836782c582b7814282b182ea82cd8cc382a2837483408343838b82c582b78142',
    'hex',
  )
  expect(linesOf(japanese).join('')).toBe('日本語のテキストです。これは古いファイルです。')
})

test('characters that XML excludes are replaced', () => {
  expect(linesOf(encoder.encode('a\u000b\u001b[31m\ufffe<b>'))).toEqual(['a??[31m\ufffd&lt;b&gt;'])
})

test('an empty text is an empty page', () => {
  expect(linesOf(new Uint8Array())).toEqual([''])
})
