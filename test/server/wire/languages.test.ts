import { expect, test } from 'bun:test'
import { isLanguage, LANGUAGES } from '#wire/languages.ts'

test('there are 27 languages, each once', () => {
  expect(new Set(LANGUAGES.map(({ code }) => code)).size).toBe(27)
})

test.each([
  ['', true],
  ['pt-PT', true],
  ['sv_se', true],
  ['zh', true],
  ['xx', false],
  ['e', false],
])('%p is a language: %p', (tag, is) => {
  expect(isLanguage(tag)).toBe(is)
})
