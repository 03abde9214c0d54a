/** Parses what users type into the finder, and scores how well names match it. */
import { describe, expect, test } from 'bun:test'
import {
  fitsNames,
  fuzzyScoreOf,
  mistypedScoreOf,
  scoreOf,
} from '#server/files/search/find-score.ts'
import { parseFind } from '#wire/api/find.ts'

const ranked = (text: string, here: string, ...paths: string[]) =>
  paths
    .map((path) => ({ path, score: scoreOf(path, parseFind(text), here) }))
    .filter(({ score }) => score !== undefined)
    .sort((one, other) => Number(other.score) - Number(one.score))
    .map(({ path }) => path)

describe('the typed text', () => {
  test('a search text consists of words, phrases and conditions in any order', () => {
    expect(parseFind('Tax type:pdf in:"My Papers" "two words" larger:1MB before:2024-05')).toEqual({
      words: ['tax', 'two words'],
      types: ['pdf'],
      within: ['my papers'],
      beforeMs: Date.UTC(2024, 4),
      afterMs: undefined,
      largerThan: 1024 ** 2,
    })
  })

  test.each(['type:', 'before:', 'before:soon', 'larger:', 'larger:much', 'after:2024-99', '"'])(
    'an incomplete condition is ignored: %s',
    (half) => {
      const { words, types, within, beforeMs, afterMs, largerThan } = parseFind(`tax ${half}`)
      expect(words[0]).toBe('tax')
      expect({ types, within, beforeMs, afterMs, largerThan }).toEqual({
        types: [],
        within: [],
        beforeMs: undefined,
        afterMs: undefined,
        largerThan: undefined,
      })
    },
  )
})

describe('names', () => {
  test('names that start with a word come before those with a word that does, and those before the rest @spec-7.44', () => {
    const all = ['attax.txt', 'my tax.txt', 'tax.txt', 'none.txt']
    expect(ranked('tax', '', ...all)).toEqual(['tax.txt', 'my tax.txt', 'attax.txt'])
  })

  test('a result has all words in its name or in its folders', () => {
    expect(ranked('anna tax', '', 'anna/tax.txt', 'bo/tax.txt', 'anna tax.txt')).toEqual([
      'anna tax.txt',
      'anna/tax.txt',
    ])
  })

  test('names below the shown folder come first', () => {
    expect(ranked('tax', 'b/', 'a/tax.txt', 'b/tax.txt', 'b/c/tax.txt')).toEqual([
      'b/tax.txt',
      'b/c/tax.txt',
      'a/tax.txt',
    ])
  })

  test('names that only contain the letters are found if the letters are close together', () => {
    expect(fuzzyScoreOf('docs/invoice.pdf', 'invce', '')).toBeGreaterThan(0)
    expect(fuzzyScoreOf('docs/invoice.pdf', 'ivp', '')).toBeUndefined()
    expect(fuzzyScoreOf('docs/invoice.pdf', 'xyz', '')).toBeUndefined()
  })

  test.each([
    ['a wrong letter', 'raport', true],
    ['a wrong first letter', 'teport', true],
    ['a missing letter', 'reort', true],
    ['an additional letter', 'repoort', true],
    ['two letters in the wrong order', 'repotr', true],
    ['the first letters in the wrong order', 'erport', true],
    ['the beginning of a word', 'annaul', true],
    ['one mistake in each of two words', 'annuel raport', true],
    ['one of two words is right', 'annual raport', true],
    ['two mistakes', 'raporr', false],
    ['a short word', 'rex', false],
    ['no beginning of a word', 'xport', false],
  ])('names are found with a typing mistake: %s', (_, text, isFound) => {
    const score = mistypedScoreOf('docs/Annual Report 2024.pdf', parseFind(text), '')
    expect(score !== undefined).toBe(isFound)
  })

  test.each([
    ['type:folder', 'a/docs', true, true],
    ['type:folder', 'a/docs', false, false],
    ['type:image', 'a/b.JPG', false, true],
    ['type:music', 'a/b.mp3', false, true],
    ['type:pdf type:image', 'a/b.pdf', false, true],
    ['type:pdf', 'a/b.txt', false, false],
    ['in:trav', 'Travels/a.txt', false, true],
    ['in:trav', 'travels.txt', false, false],
    ['in:trav in:2024', 'Travels/2024/a.txt', false, true],
  ])(
    'whether the condition %s allows the path %s (folder: %p) is %p',
    (text, path, isFolder, fits) => {
      expect(fitsNames(path, isFolder, parseFind(text))).toBe(fits)
    },
  )
})
