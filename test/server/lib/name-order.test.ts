import { describe, expect, test } from 'bun:test'
import { keysOf, simpleKeysOf, sortKeys } from '#server/lib/name-order.ts'
import { runInSlices } from '#server/lib/slices.ts'

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const bySpelling = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function sorted(names: string[], ahead: (at: number) => number[] = () => []) {
  const keys = await runInSlices(keysOf(names, ahead))
  const settle = (a: number, b: number) => bySpelling(names[a] ?? '', names[b] ?? '')
  return Array.from(await runInSlices(sortKeys(keys, settle)), (at) => names[at] ?? '')
}

/** The same names at each run (a linear congruential generator). */
function someNames(alphabet: string, count: number, lengthMax: number): string[] {
  let state = 42
  const below = (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * bound)
  }
  const characters = [...alphabet]
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(lengthMax) }, () => characters[below(characters.length)]).join(
      '',
    ),
  )
}

const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)).join('')

describe('the order of a collator', () => {
  test.each([
    ['ASCII', ASCII],
    ['numbers', 'ab 0012345678900'],
    ['accents and ligatures', 'aeoéèôÜñßæœss aAoO01'],
    ['Cyrillic, Greek and Hebrew', 'абвгдёйאבגαβγά 12'],
    ['Han, kana and Hangul', '日本語漢字ひらカタ가나다각 12a'],
  ])('names with %s have the order of a collator', async (_, alphabet) => {
    const names = someNames(alphabet, 3000, 6)
    const expected = [...names].sort((a, b) => collator.compare(a, b) || bySpelling(a, b))
    expect(await sorted(names)).toEqual(expected)
  })
})

test('numbers with many digits are compared correctly', async () => {
  const names = ['9'.repeat(40), `1${'0'.repeat(40)}`, '0009', '10', '9']
  expect(await sorted(names)).toEqual(['0009', '9', '10', '9'.repeat(40), `1${'0'.repeat(40)}`])
})

test('numbers that precede the name in a key are compared before the name', async () => {
  const sizes = [2 ** 40, 3, 2 ** 16, 3]
  expect(await sorted(['a', 'z', 'b', 'c'], (at) => [sizes[at] ?? 0])).toEqual(['c', 'z', 'b', 'a'])
})

test('simple keys sort names by UTF-16 code units', async () => {
  const names = someNames(`${ASCII}éß日😀`, 2000, 5)
  const order = await runInSlices(sortKeys(await runInSlices(simpleKeysOf(names)), () => 0))
  expect(Array.from(order, (at) => names[at] ?? '')).toEqual([...names].sort())
})
