/**
 * Which English text each message was translated from: `ui/i18n/translated-from.json` has a short digest of it. When
 * the English text changes, the other languages must be looked at again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'
import type { Texts } from './translations.ts'

const FILE = join(REPO_ROOT, 'ui/i18n/translated-from.json')
const DIGEST_CHARS = 8
/** In a record of some languages: the digest of all others. */
const OTHERS = 'others'

/**
 * Key → digest of the English text that the other languages have translated. While only some of them follow a change, it
 * is a record of digests by language.
 */
export type TranslatedFrom = Readonly<Record<string, string | Readonly<Record<string, string>>>>

export function readTranslatedFrom(): TranslatedFrom {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

export function writeTranslatedFrom(translated: TranslatedFrom): void {
  writeFileSync(FILE, `${JSON.stringify(translated, null, 2)}\n`)
}

/** @returns the digest of the English text that the language has translated; undefined if none is recorded */
export function digestFor(
  translated: TranslatedFrom,
  key: string,
  language: string,
): string | undefined {
  const recorded = translated[key]
  if (recorded === undefined || typeof recorded === 'string') return recorded
  return recorded[language] ?? recorded[OTHERS]
}

/**
 * @param english the present English texts
 * @param languages the codes of the other languages
 * @returns a line for each message whose translations were made from another text, and for each that exists no more
 */
export function staleMessages(
  english: Texts,
  translated: TranslatedFrom,
  languages: readonly string[],
): string[] {
  const unknown = Object.keys(translated).filter((key) => !english.has(key))
  const stale = [...english].flatMap(([key, text]) => {
    const digest = digestOf(text)
    const old = languages.filter((language) => digestFor(translated, key, language) !== digest)
    if (old.length === 0) return []
    const which = old.length === languages.length ? 'the other languages' : old.join(', ')
    return [`${key}: check it in ${which} with npm run messages -- ${key}, then accept it`]
  })
  return [...stale, ...unknown.map((key) => `${key} is in translated-from.json, and is no message`)]
}

/**
 * Records that languages follow the present English texts. Messages that exist no more are left out.
 *
 * @param keys the messages; `all` for every message
 * @param accepting the languages that follow; `all` for every one
 * @param languages the codes of the other languages
 * @throws Error for a key that is no message, or a code that is no language
 */
export function acceptMessages(
  english: Texts,
  translated: TranslatedFrom,
  keys: readonly string[],
  accepting: readonly string[],
  languages: readonly string[],
): TranslatedFrom {
  mustBeIn(keys, [...english.keys()], 'message')
  mustBeIn(accepting, languages, 'language')
  const isAccepted = (key: string) => keys.includes('all') || keys.includes(key)
  const follows = (language: string) => accepting.includes('all') || accepting.includes(language)
  const entries = [...english].flatMap(([key, text]): [string, TranslatedFrom[string]][] => {
    const recorded = translated[key]
    if (!isAccepted(key)) return recorded === undefined ? [] : [[key, recorded]]
    const digests = new Map(
      languages.map((language) => [
        language,
        follows(language) ? digestOf(text) : (digestFor(translated, key, language) ?? ''),
      ]),
    )
    return [[key, shortest(digests)]]
  })
  return Object.fromEntries(entries)
}

export function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS)
}

/** One digest if all languages have the same; else that of most, and the languages that have another. */
function shortest(digests: ReadonlyMap<string, string>): string | Record<string, string> {
  const groups = Map.groupBy(digests, ([, digest]) => digest)
  const [[most = ''] = []] = [...groups].toSorted(([, a], [, b]) => b.length - a.length)
  if (groups.size <= 1) return most
  const others = [...digests].filter(([, digest]) => digest !== most)
  return { [OTHERS]: most, ...Object.fromEntries(others) }
}

function mustBeIn(names: readonly string[], known: readonly string[], what: string): void {
  const unknown = names.filter((name) => name !== 'all' && !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no ${what} ${unknown.join(', ')}.`)
}
