/** Finds faults in the messages of a language, compared with the English ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

export const SOURCE = 'en'
const MESSAGES = join(REPO_ROOT, 'ui/i18n/messages')
const GLOSSARIES = join(REPO_ROOT, 'ui/i18n/glossary')

/**
 * The plural forms at the end of keys. `zero` is the form for the number 0, if English has one. `single` is the form for
 * exactly one thing (`ui/i18n/i18n.ts`): a language needs it if the English text for one thing contains no number, and the
 * form `one` of the language does not exist or is also used for other numbers.
 */
const PLURAL = /^(?<base>.+)_(?<form>zero|single|one|two|few|many|other)$/
const PLACEHOLDER = /\{\{.*?\}\}/g
/** Placeholders that a form for a fixed number may write as a word: "one file". */
const NUMBERS = ['{{count}}', '{{value}}']
const FIXED = ['zero', 'single', 'one', 'two']
/** Numbers that may have the same plural form as 1, such as 21 in Russian. */
const OTHER_NUMBERS = Array.from({ length: 200 }, (_, index) => index + 2)

/** Texts by their key: `listing.files_one`. */
export type Texts = ReadonlyMap<string, string>

/** The terms of a language, and its exceptions. */
export interface Glossary {
  /** English terms and the ones that this language uses for them. */
  terms: Record<string, string>
  /** Keys whose texts are the English ones on purpose, without plural endings. */
  same: string[]
}

/** The codes of the languages that have messages. */
export function writtenLanguages(): string[] {
  return readdirSync(MESSAGES).map((name) => name.replace(/\.json$/, ''))
}

export function textsOf(code: string): Texts {
  return flatten(JSON.parse(readFileSync(join(MESSAGES, `${code}.json`), 'utf8')))
}

/** @returns the key without its plural form: `listing.files` for `listing.files_one` */
export function baseOf(key: string): string {
  return PLURAL.exec(key)?.groups?.base ?? key
}

/** @returns the glossary of a language; that of English has the keys that are the same in all of them */
export function glossaryOf(code: string): Glossary {
  return JSON.parse(readFileSync(join(GLOSSARIES, `${code}.json`), 'utf8'))
}

/** @param messages as in `ui/i18n/messages`: texts, and groups of them */
export function flatten(messages: object, prefix = ''): Texts {
  return new Map(
    Object.entries(messages).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : [...flatten(value, `${prefix}${key}.`)],
    ),
  )
}

/**
 * Compares the texts of a language with the English ones: keys, plural forms (`Intl.PluralRules`),
 * placeholders, and texts that are not translated.
 *
 * @param code a BCP 47 tag in lower case: `pt-br`
 * @param same keys whose texts may be the English ones, without plural endings
 * @returns a line for each fault
 */
export function faultsOf(
  code: string,
  texts: Texts,
  english: Texts,
  same: ReadonlySet<string>,
): string[] {
  const wanted = keysFor(code, english)
  const missing = [...wanted.keys()].filter((key) => !texts.has(key))
  const unknown = [...texts.keys()].filter((key) => !wanted.has(key))
  const faulty = [...texts].flatMap(([key, text]) => {
    const source = wanted.get(key)
    return source === undefined ? [] : faultsOfText(key, text, source, same)
  })
  return [
    ...missing.map((key) => `${code}: ${key} is missing`),
    ...unknown.map((key) => `${code}: ${key} is not a key of ${SOURCE}.json`),
    ...faulty.map((fault) => `${code}: ${fault}`),
  ]
}

/** The keys that a language must have, each with the English text it is translated from. */
function keysFor(code: string, english: Texts): Map<string, string> {
  const rules = new Intl.PluralRules(code)
  const forms = rules.resolvedOptions().pluralCategories
  const oneIsExact =
    forms.includes('one') && !OTHER_NUMBERS.some((number) => rules.select(number) === 'one')
  const keys = [...english].flatMap(([key, text]): [string, string][] => {
    const { base, form } = PLURAL.exec(key)?.groups ?? {}
    if (base === undefined || !english.has(`${base}_other`) || form === 'zero') return [[key, text]]
    if (form !== 'other') return []
    const one = english.get(`${base}_one`) ?? text
    if (oneIsExact || hasNumber(one)) {
      return forms.map((each) => [`${base}_${each}`, english.get(`${base}_${each}`) ?? text])
    }
    return [
      [`${base}_single`, one],
      ...forms.map((each): [string, string] => [`${base}_${each}`, text]),
    ]
  })
  return new Map(keys)
}

function hasNumber(text: string): boolean {
  return NUMBERS.some((number) => text.includes(number))
}

function faultsOfText(
  key: string,
  text: string,
  source: string,
  same: ReadonlySet<string>,
): string[] {
  const { base = key, form = '' } = PLURAL.exec(key)?.groups ?? {}
  const faults: string[] = []
  if (text.trim() === '') faults.push(`${key} is empty`)
  if (!hasPlaceholdersOf(text, source, FIXED.includes(form))) {
    faults.push(`${key} has other placeholders than "${source}"`)
  }
  const words = source.replace(PLACEHOLDER, '')
  if (text === source && /\p{L}{2}/u.test(words) && !same.has(base)) {
    faults.push(`${key} is the English text: ${source}`)
  }
  return faults
}

function hasPlaceholdersOf(text: string, source: string, isFixed: boolean): boolean {
  const [translated, english] = [placeholders(text), placeholders(source)]
  const missing = english.difference(translated)
  if (translated.difference(english).size > 0)
    return isFixed && translated.isSubsetOf(english.union(new Set(NUMBERS)))
  return [...missing].every((one) => isFixed && NUMBERS.includes(one))
}

function placeholders(text: string): Set<string> {
  return new Set(text.match(PLACEHOLDER))
}
