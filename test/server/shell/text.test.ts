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

test('a long line whose line end is split between two pieces of output has no empty line after it', async () => {
  expect(await lines(['abc\r', '\nd'], 3)).toEqual(['abc', 'd'])
  expect(await lines(['😀\r', '\nd'], 1)).toEqual(['😀', 'd'])
  expect(await lines(['😀', '\r\nd'], 1)).toEqual(['😀', 'd'])
  expect(await lines(['abc\r', 'd'], 3)).toEqual(['abc', '\rd'])
  expect(await lines(['abc\r'], 3)).toEqual(['abc', '\r'])
})

test('lines are the same wherever the output is split', async () => {
  const units = fc.array(fc.constantFrom('a', '\r', '\n', '\r\n', '😀'), { maxLength: 12 })
  const cuts = fc.array(fc.nat(24), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(units, cuts, fc.integer({ min: 1, max: 4 }), async (chosen, at, most) => {
      const text = chosen.join('')
      const ends = [...at.filter((end) => end < text.length), text.length].sort((a, b) => a - b)
      const texts = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
      expect(await lines(texts, most)).toEqual(await lines([text], most))
    }),
    { numRuns: 1000 },
  )
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
