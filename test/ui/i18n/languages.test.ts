import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import '../browser.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { LANGUAGES, languageFor, OFFERED_LANGUAGES } from '#ui/i18n/languages.ts'
import en from '#ui/i18n/messages/en.json'
import { FAULT_CODES, Fault } from '#wire/fault.ts'
import { REPO_ROOT } from '../../support/executable.ts'

const MESSAGES = join(REPO_ROOT, 'ui/i18n/messages')

test('there are the 27 languages of the specification, two of them right to left', () => {
  const codes =
    'ar ca cs de el en es fr he hu is it ja ko nl-be pl pt pt-br ro ru sk sv-se tr uk vi zh-cn zh-tw'
  expect(LANGUAGES.map(({ code }) => code).join(' ')).toBe(codes)
  expect(LANGUAGES.filter((row) => 'rtl' in row).map(({ code }) => code)).toEqual(['ar', 'he'])
})

test('a language is offered when its file has every key, and only then', () => {
  const complete = readdirSync(MESSAGES)
    .filter((name) => keysOf(messagesOf(name)).isSupersetOf(keysOf(en)))
    .map((name) => name.replace(/\.json$/, ''))
  expect(OFFERED_LANGUAGES.map(({ code }) => code)).toEqual(complete.toSorted())
})

test('what is not offered is passed over, to English at last', () => {
  const offered = LANGUAGES.filter(({ code }) => code === 'en' || code === 'fr')
  expect(languageFor(['he', 'fr-CA'], offered).code).toBe('fr')
  expect(languageFor(['he'], offered).code).toBe('en')
})

test.each([
  [['de-AT'], 'de'],
  [['pt-BR', 'en'], 'pt-br'],
  [['pt-PT'], 'pt'],
  [['sv'], 'sv-se'],
  [['sv_SE'], 'sv-se'],
  [['zh'], 'zh-cn'],
  [['xx', 'fr'], 'fr'],
  [[], 'en'],
])('%p speak %s once all are offered', (tags, code) => {
  expect<string>(languageFor(tags, LANGUAGES).code).toBe(code)
})

test.each([...FAULT_CODES])('the fault %s is a sentence', (code) => {
  expect(en.fault[code]).toMatch(/\.$/)
  expect(faultText(new Fault(code, ''))).toBe(en.fault[code])
})

test('a fault that names what is wrong keeps its own words; a stray error does not', () => {
  expect(faultText(new Fault('badRequest', 'The password is too short.'))).toContain('too short')
  expect(faultText(new TypeError('x is undefined'))).toBe(en.fault.internal)
})

function messagesOf(name: string): object {
  return JSON.parse(readFileSync(join(MESSAGES, name), 'utf8'))
}

/** Every key that leads to words, spelled with dots. */
function keysOf(messages: object, prefix = ''): Set<string> {
  const keys = Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'object' ? [...keysOf(value, `${prefix}${key}.`)] : [prefix + key],
  )
  return new Set(keys)
}
