import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeText, linesOf } from '#server/shell/text.ts'

async function* each<T>(items: T[]): AsyncIterable<T> {
  yield* items
}

const lines = (texts: string[], most = 100) => Array.fromAsync(linesOf(each(texts), most))

test('lines come without their ends, the last also without one', async () => {
  expect(await lines(['a\nb', 'c\r\n\nd'])).toEqual(['a', 'bc', '', 'd'])
  expect(await lines(['a\n'])).toEqual(['a'])
  expect(await lines([])).toEqual([])
})

test('a long line arrives in pieces, and none is lost', async () => {
  expect(await lines(['abcdefg\nh'], 3)).toEqual(['abc', 'def', 'g', 'h'])
  expect(await lines(['abcdefg'], 3)).toEqual(['abc', 'def', 'g'])
})

test('a long line is not split inside a character', async () => {
  expect(await lines(['ab😀cd'], 3)).toEqual(['ab', '😀c', 'd'])
  expect(await lines(['ab😀cd\n'], 3)).toEqual(['ab', '😀c', 'd'])
  expect(await lines(['😀😀'], 1)).toEqual(['😀', '😀'])
})

test('characters that are split between two pieces arrive complete', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1 }), async (text, at) => {
      const bytes = new TextEncoder().encode(text)
      const cut = at % (bytes.length + 1)
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      expect((await Array.fromAsync(decodeText(each(pieces)))).join('')).toBe(text)
    }),
  )
})
