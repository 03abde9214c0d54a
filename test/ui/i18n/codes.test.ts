import { expect, test } from 'bun:test'
import { isLanguage, LANGUAGE_CODES } from '#server/lib/languages.ts'
import { LANGUAGES } from '#ui/i18n/languages.ts'

test('the server knows the languages that the interface names', () => {
  expect<string[]>([...LANGUAGE_CODES]).toEqual(LANGUAGES.map(({ code }) => code))
})

test.each([
  ['', true],
  ['pt-PT', true],
  ['sv_se', true],
  ['zh', true],
  ['xx', false],
  ['e', false],
])('the server accepts %p as a language: %p', (tag, is) => {
  expect(isLanguage(tag)).toBe(is)
})
