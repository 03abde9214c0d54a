import { expect, test } from 'bun:test'
import '../browser.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { languageFor } from '#ui/i18n/languages.ts'
import en from '#ui/i18n/messages/en.json'
import { FAULT_CODES, Fault } from '#wire/fault.ts'
import { LANGUAGES } from '#wire/languages.ts'
import { tooDeep } from '#wire/paths.ts'
import { writtenLanguages } from '../../../scripts/translations.ts'

test('there are the 27 languages of the specification, two of them right to left @spec-9.4', () => {
  const codes =
    'ar ca cs de el en es fr he hu is it ja ko nl-be pl pt pt-br ro ru sk sv-se tr uk vi zh-cn zh-tw'
  expect(LANGUAGES.map(({ code }) => code).join(' ')).toBe(codes)
  expect(LANGUAGES.filter((row) => 'rtl' in row).map(({ code }) => code)).toEqual(['ar', 'he'])
})

test('every language is completely translated @spec-9.4', () => {
  expect(LANGUAGES.map(({ code }) => code)).toEqual(writtenLanguages().toSorted() as never)
})

test.each([
  [['de-AT'], 'de'],
  [['pt-BR', 'en'], 'pt-br'],
  [['pt-PT'], 'pt'],
  [['sv'], 'sv-se'],
  [['sv_SE'], 'sv-se'],
  [['zh'], 'zh-cn'],
  [['zh-SG'], 'zh-cn'],
  [['zh-Hans-TW'], 'zh-cn'],
  [['zh-HK'], 'zh-tw'],
  [['zh_MO'], 'zh-tw'],
  [['zh-Hant'], 'zh-tw'],
  [['zh-Hant-TW'], 'zh-tw'],
  [['zh-invalid!'], 'zh-cn'],
  [['', 'fr'], 'fr'],
  [['xx', 'fr'], 'fr'],
  [['xx'], 'en'],
  [[], 'en'],
])('the preferred languages %p select %s', (tags, code) => {
  expect<string>(languageFor(tags).code).toBe(code)
})

test.each([...FAULT_CODES])('the fault %s is shown as a sentence', (code) => {
  expect(en.fault[code]).toMatch(/\.$/)
  expect(faultText(new Fault(code, ''))).toBe(en.fault[code])
})

test('a limit without a reason is shown in the language of the user, not in the words of the server', () => {
  expect(faultText(new Fault('tooMany', 'Too many folders are being listed.'))).toBe(
    en.fault.tooMany,
  )
  expect(faultText(new Fault('tooLarge', 'The body is too large.'))).toBe(en.fault.tooLarge)
})

test('the text of a reason contains its number', () => {
  expect(faultText(tooDeep())).toBe('Folders can be at most 256 levels deep.')
})

test('a fault with its own message keeps it; any other error does not', () => {
  expect(faultText(new Fault('badRequest', 'The password is too short.'))).toContain('too short')
  expect(faultText(new TypeError('x is undefined'))).toBe(en.fault.internal)
})
