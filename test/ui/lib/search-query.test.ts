import { describe, expect, test } from 'bun:test'
import { hasType, piecesOf, termsOf, toggleType } from '#ui/lib/search-query.ts'

describe('types', () => {
  test.each([
    ['', 'image', 'type:image '],
    ['fjord', 'image', 'type:image fjord'],
    ['type:image fjord', 'pdf', 'type:pdf type:image fjord'],
    ['type:image fjord', 'image', 'fjord'],
    ['fjord type:image', 'image', 'fjord'],
    ['type:imagery', 'image', 'type:image type:imagery'],
  ] as const)('%p, %s toggled: %p', (query, type, toggled) => {
    expect(toggleType(query, type)).toBe(toggled)
    expect(hasType(toggled, type)).toBe(!hasType(query, type))
  })
})

describe('words', () => {
  test.each([
    ['fjord dusk', ['fjord', 'dusk']],
    ['  fjord  ', ['fjord']],
    ['"fjord dusk"', ['fjord dusk']],
    ['type:image fjord case:sensitive', ['fjord']],
    ['type:image', []],
    ['"', ['"']],
  ])('of %p: %p', (query, terms) => {
    expect(termsOf(query)).toEqual(terms)
  })
})

describe('what was found in a name', () => {
  const marked = (name: string, query: string) =>
    piecesOf(name, query)
      .map(({ text, found }) => (found ? `[${text}]` : text))
      .join('')

  test.each([
    ['Fjord-dusk.jpg', 'fjord', '[Fjord]-dusk.jpg'],
    ['Fjord-dusk.jpg', 'case:sensitive fjord', 'Fjord-dusk.jpg'],
    ['fjord-dusk-fjord', 'fjord dusk', '[fjord]-[dusk]-[fjord]'],
    ['fjordland', 'fjord fjordland', '[fjordland]'],
    ['a b', '"a b"', '[a b]'],
    ['plain', 'type:image', 'plain'],
    ['İstanbul', 'istanbul', 'İstanbul'],
    ['', 'a', ''],
  ])('%p, looked for with %p: %p', (name, query, shown) => {
    expect(marked(name, query)).toBe(shown)
  })

  test('loses no letter of the name', () => {
    const name = 'aaa.aab.ba'
    expect(
      piecesOf(name, 'aa b')
        .map(({ text }) => text)
        .join(''),
    ).toBe(name)
  })
})
