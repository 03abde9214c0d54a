import { expect, test } from 'bun:test'
import { piecesOf } from '#ui/lib/entries/find-text.ts'

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
