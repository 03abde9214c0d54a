import { describe, expect, test } from 'bun:test'
import { canonicalText, foldText, nameKey } from '#wire/fold.ts'
import { foldWithOffsets } from '#wire/fold-offsets.ts'

describe('folding', () => {
  test.each([
    ['Übung', 'u\u0308bung'],
    ['Übung', 'UBUNG'],
    ['café', 'CAFE'],
    ['Straße', 'STRASSE'],
    ['Størmlykke', 'stormlykke'],
    ['Łódź', 'lodz'],
    ['Ærø', 'aero'],
    ['테스트', '\u1110\u1166\u1109\u1173\u1110\u1173'],
    ['パピプ', '\u30cf\u309a\u30d2\u309a\u30d5\u309a'],
    ['Йод', 'и\u0306од'],
    ['ﬁle １', 'FILE 1'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
  ])('%p equals %p', (a, b) => {
    expect(foldText(a)).toBe(foldText(b))
    expect(foldText(foldText(a))).toBe(foldText(a))
  })

  test('different letters stay different, and no text becomes empty', () => {
    expect(foldText('cafe')).not.toBe(foldText('cave'))
    expect(foldText('\u0301')).not.toBe('')
  })

  test('offsets lead from the folded text to the letters of the text', () => {
    const text = 'Straße U\u0308b'
    const { folded, offsets } = foldWithOffsets(text)
    expect(folded).toBe(foldText(text))
    expect(text.slice(offsets[folded.indexOf('e ')])).toBe('e U\u0308b')
    expect(text.slice(offsets[folded.indexOf('b')])).toBe('b')
  })
})

test('the canonical form joins what looks the same, and nothing else', () => {
  expect(canonicalText('U\u0308bung')).toBe(canonicalText('Übung'))
  expect(canonicalText('cafe')).not.toBe(canonicalText('café'))
  expect(canonicalText('A')).not.toBe(canonicalText('a'))
})

test('two names are the same in a folder in both forms of Unicode, and in any case if the disk ignores it', () => {
  expect(nameKey('U\u0308b')).toBe(nameKey('Üb'))
  expect(nameKey('U\u0308B', true)).toBe(nameKey('üb', true))
  expect(nameKey('ÜB')).not.toBe(nameKey('üb'))
  for (const [one, other] of [
    ['cafe', 'café'],
    ['straße', 'strasse'],
    ['ﬁ', 'fi'],
  ] as const) {
    expect(nameKey(one, true)).not.toBe(nameKey(other, true))
  }
})
