import { describe, expect, test } from 'bun:test'
import { hasType, piecesOf, toggleType } from '#ui/lib/entries/find-text.ts'

describe('types', () => {
  test.each([
    ['', 'image', 'type:image '],
    ['fjord', 'image', 'type:image fjord'],
    ['type:image fjord', 'pdf', 'type:pdf type:image fjord'],
    ['type:image fjord', 'image', 'fjord'],
    ['fjord type:image', 'image', 'fjord'],
    ['type:imagery', 'image', 'type:image type:imagery'],
  ] as const)('the text %p in which the type %s is toggled becomes %p', (text, type, toggled) => {
    expect(toggleType(text, type)).toBe(toggled)
    expect(hasType(toggled, type)).toBe(!hasType(text, type))
  })
})

test.each([
  ['Fjord dusk.jpg', 'DUSK fj', ['[Fj]', 'ord ', '[dusk]', '.jpg']],
  ['fjord dusk.jpg', 'in:x type:image "d d"', ['fjor', '[d d]', 'usk.jpg']],
  ['fjord.jpg', 'type:image', ['fjord.jpg']],
  ['İstanbul.jpg', 'stan', ['İ', '[stan]', 'bul.jpg']],
  ['U\u0308bung Straße.txt', 'übung STRASSE', ['[U\u0308bung]', ' ', '[Straße]', '.txt']],
  ['Übung.txt', 'bung', ['Ü', '[bung]', '.txt']],
])('in the name %p the text %p is marked: %p', (name, text, pieces) => {
  expect(
    piecesOf(name, text).map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece)),
  ).toEqual(pieces)
})
