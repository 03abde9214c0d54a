import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { asUtf8Text, decodeText, encodeText, lineBreakOf } from '#ui/lib/text/text-bytes.ts'

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)

test('a text from the server reports whether its bytes can be restored', () => {
  const plain = { encoding: 'utf-8', isLossless: true, isGuess: false, damaged: 0 }
  expect(asUtf8Text('größe', 7)).toEqual({ ...plain, text: 'größe', hasMark: false })
  expect(asUtf8Text('\uFEFFa', 4)).toEqual({ ...plain, text: 'a', hasMark: true })
  expect(asUtf8Text('a', 4)).toBeUndefined()
  expect(asUtf8Text('', 0)).toEqual({ ...plain, text: '', hasMark: false })
})

test('a text with replacement characters is not trusted', () => {
  // Three broken bytes become one sign of three bytes: the length alone says nothing.
  const broken = bytesOf(0xf0, 0x9f, 0x98)
  const read = new TextDecoder().decode(broken)
  expect(new TextEncoder().encode(read)).toHaveLength(broken.length)
  expect(asUtf8Text(read, broken.length)).toBeUndefined()
  expect(asUtf8Text('ab', 1)).toBeUndefined()
})

test.each([
  [[0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße', 'windows-1252', false],
  [[0xff, 0xfe, 0x61, 0x00], 'a', 'utf-16le', false],
  [[0xfe, 0xff, 0x00, 0x61], 'a', 'utf-16be', false],
  [[0xef, 0xbb, 0xbf, 0x61], 'a', 'utf-8', true],
  [[0xef, 0xbf, 0xbd], '\uFFFD', 'utf-8', true],
] as const)('the bytes %p are the text %p in %s', (bytes, text, encoding, isLossless) => {
  expect(decodeText(bytesOf(...bytes))).toMatchObject({ text, encoding, isLossless })
})

test('a text survives encoding and decoding, with its byte order mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, hasMark) => {
      fc.pre(!text.startsWith('\uFEFF'))
      const bytes = new TextEncoder().encode(encodeText(text, hasMark))
      const certain = { isLossless: true, isGuess: false, damaged: 0 }
      expect(decodeText(bytes)).toEqual({ text, encoding: 'utf-8', hasMark, ...certain })
    }),
  )
})

test.each([
  ['', '\n'],
  ['a\nb', '\n'],
  ['a\r\nb\r\n', '\r\n'],
  ['a\rb', '\r'],
  ['a\r\nb\n', '\n'],
  ['a\rb\r\n', '\n'],
])('the line ending of %p is %p', (text, end) => {
  expect<string>(lineBreakOf(text)).toBe(end)
})

test('UTF-8 with a few damaged bytes stays UTF-8, and they are counted', () => {
  const bytes = new TextEncoder().encode('Grüße aus Köln, bitte prüfen')
  const damaged = bytesOf(...bytes, 0xff, 0x21)
  expect(decodeText(damaged)).toEqual({
    text: 'Grüße aus Köln, bitte prüfen\uFFFD!',
    encoding: 'utf-8',
    hasMark: false,
    isLossless: false,
    isGuess: false,
    damaged: 1,
  })
})

test('an encoding that the user has chosen is no guess', () => {
  const koi8 = bytesOf(0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4)
  expect(decodeText(koi8)).toMatchObject({ text: 'Привет', isGuess: true, isLossless: false })
  expect(decodeText(koi8, 'koi8-r')).toMatchObject({ text: 'Привет', isGuess: false })
  // A text that was saved as UTF-8 since.
  const saved = new TextEncoder().encode('Привет')
  expect(decodeText(saved, 'koi8-r')).toMatchObject({ text: 'Привет', encoding: 'utf-8' })
  expect(decodeText(koi8, 'windows-1251')).toMatchObject({ text: 'рТЙЧЕФ', damaged: 0 })
})
