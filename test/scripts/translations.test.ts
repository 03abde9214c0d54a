/** scripts/translations.ts reports each fault of a translation, and the translations of the repository have none. */
import { expect, test } from 'bun:test'
import { acceptMessages, readTranslatedFrom, staleMessages } from '../../scripts/translated-from.ts'
import {
  faultsOf,
  flatten,
  glossaryOf,
  SOURCE,
  textsOf,
  writtenLanguages,
} from '../../scripts/translations.ts'

const ENGLISH = flatten({
  save: 'Save',
  pdf: 'PDF',
  list: {
    named: 'Files of {{name}}',
    files_one: '{{value}} file',
    files_other: '{{value}} files',
    rules_zero: 'no rules',
    rules_one: 'one rule',
    rules_other: '{{count}} rules',
  },
})
const SAME = new Set(['pdf'])
const POLISH = {
  save: 'Zapisz',
  pdf: 'PDF',
  list: {
    named: 'Pliki: {{name}}',
    files_one: '{{value}} plik',
    files_few: '{{value}} pliki',
    files_many: '{{value}} plików',
    files_other: '{{value}} pliku',
    rules_zero: 'brak reguł',
    rules_one: 'jedna reguła',
    rules_few: '{{count}} reguły',
    rules_many: '{{count}} reguł',
    rules_other: '{{count}} reguły',
  },
}

const faults = (changes: object) =>
  faultsOf('pl', new Map([...flatten(POLISH), ...flatten(changes)]), ENGLISH, SAME)

test('a complete translation has no fault, and a missing text is reported', () => {
  expect(faults({})).toEqual([])
  const { save, ...others } = POLISH
  expect(faultsOf('pl', flatten(others), ENGLISH, SAME)).toEqual(['pl: save is missing'])
})

test.each([
  [{ more: 'Więcej' }, 'pl: more is not a key of en.json'],
  [{ list: { files_two: '2' } }, 'pl: list.files_two is not a key of en.json'],
  [{ save: ' ' }, 'pl: save is empty'],
  [{ save: 'Save' }, 'pl: save is the English text: Save'],
  [{ list: { named: 'Pliki' } }, 'pl: list.named has other placeholders than "Files of {{name}}"'],
  [
    { list: { named: '{{name}} {{nmae}}' } },
    'pl: list.named has other placeholders than "Files of {{name}}"',
  ],
  [
    { list: { files_few: 'pliki' } },
    'pl: list.files_few has other placeholders than "{{value}} files"',
  ],
])('a translation with the texts %j has one fault: %s', (changes, fault) => {
  expect(faults(changes)).toEqual([fault])
})

test('the plural form for one may be written with or without the number', () => {
  expect(faults({ list: { files_one: 'jeden plik', rules_one: '{{count}} reguła' } })).toEqual([])
})

test('a text with the name of one item needs the form single if the form for one is also used for other numbers', () => {
  const english = flatten({ delete_one: 'Delete {{name}}', delete_other: 'Delete {{count}} items' })
  const missing = (code: string, texts: object) => faultsOf(code, flatten(texts), english, SAME)
  expect(
    missing('de', { delete_one: '{{name}} löschen', delete_other: '{{count}} löschen' }),
  ).toEqual([])
  expect(missing('ja', { delete_other: '{{count}} 個を削除' })).toEqual([
    'ja: delete_single is missing',
  ])
  const russian = {
    delete_one: 'Удалить {{count}} элемент',
    delete_few: 'Удалить {{count}} элемента',
  }
  const many = {
    delete_many: 'Удалить {{count}} элементов',
    delete_other: 'Удалить {{count}} элемента',
  }
  expect(missing('ru', { ...russian, ...many })).toEqual(['ru: delete_single is missing'])
  expect(missing('ru', { ...russian, ...many, delete_single: 'Удалить {{name}}' })).toEqual([])
})

test('a missing plural form of the language is reported', () => {
  const { files_many, ...list } = POLISH.list
  const texts = flatten({ ...POLISH, list })
  expect(faultsOf('pl', texts, ENGLISH, SAME)).toEqual(['pl: list.files_many is missing'])
})

test.each(writtenLanguages())('the texts of %s have no fault @spec-9.4', (code) => {
  const english = textsOf(SOURCE)
  const same = new Set([...glossaryOf(SOURCE).same, ...glossaryOf(code).same])
  const found = code === SOURCE ? [] : faultsOf(code, textsOf(code), english, same)
  expect(found).toEqual([])
})

test.each(writtenLanguages())('the glossary of %s has every term', (code) => {
  const { terms } = glossaryOf(code)
  expect(Object.keys(terms).toSorted()).toEqual(Object.keys(glossaryOf(SOURCE).terms).toSorted())
  expect(Object.values(terms).filter((term) => term.trim() === '')).toEqual([])
})

const BEFORE = new Map([
  ['save', 'Save'],
  ['undo', 'Undo'],
])
const CODES = ['de', 'fr', 'ja']
const ACCEPTED = acceptMessages(BEFORE, {}, ['all'], ['all'], CODES)

test('an English text that has changed since it was translated is reported, and so is one without a record', () => {
  expect(staleMessages(BEFORE, ACCEPTED, CODES)).toEqual([])
  const now = new Map([
    ['save', 'Save it'],
    ['new', 'New'],
  ])
  expect(staleMessages(now, ACCEPTED, CODES)).toEqual([
    'save: check it in the other languages with npm run messages -- save, then accept it',
    'new: check it in the other languages with npm run messages -- new, then accept it',
    'undo is in translated-from.json, and is no message',
  ])
})

test('a changed text is accepted language by language, and then as one record', () => {
  const now = new Map([...BEFORE, ['save', 'Save it']])
  const some = acceptMessages(now, ACCEPTED, ['save'], ['de'], CODES)
  expect(staleMessages(now, some, CODES)).toEqual([
    'save: check it in fr, ja with npm run messages -- save, then accept it',
  ])
  expect(some.undo).toBe(ACCEPTED.undo)
  const all = acceptMessages(now, some, ['save'], ['fr', 'ja'], CODES)
  expect(staleMessages(now, all, CODES)).toEqual([])
  expect(all.save).toBeString()
})

test('only messages and languages that exist are accepted', () => {
  expect(() => acceptMessages(BEFORE, ACCEPTED, ['svae'], ['all'], CODES)).toThrow('svae')
  expect(() => acceptMessages(BEFORE, ACCEPTED, ['save'], ['xx'], CODES)).toThrow('xx')
})

test('all messages were translated from the present English texts', () => {
  const languages = writtenLanguages().filter((code) => code !== SOURCE)
  expect(staleMessages(textsOf(SOURCE), readTranslatedFrom(), languages)).toEqual([])
})
