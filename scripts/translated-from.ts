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

/** Key → digest of the English text, for the messages that the other languages have translated. */
export type TranslatedFrom = Readonly<Record<string, string>>

export function readTranslatedFrom(): TranslatedFrom {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

/**
 * @param english the present English texts
 * @returns a line for each message whose translations were made from another text, and for each that exists no more
 */
export function staleMessages(english: Texts, translated: TranslatedFrom): string[] {
  const stale = [...english].filter(([key, text]) => translated[key] !== digestOf(text))
  const unknown = Object.keys(translated).filter((key) => !english.has(key))
  return [
    ...stale.map(([key]) => `${key}: check it in the other languages, then record it`),
    ...unknown.map((key) => `${key} is in translated-from.json, and is no message`),
  ]
}

/**
 * Records that the other languages were translated from the present English texts.
 *
 * @param keys the messages that were translated; `all` for every message
 * @throws Error for a key that is no message
 */
export function recordTranslated(english: Texts, keys: readonly string[]): void {
  const unknown = keys.filter((key) => key !== 'all' && !english.has(key))
  if (unknown.length > 0) throw new Error(`There is no message ${unknown.join(', ')}.`)
  const translated = readTranslatedFrom()
  const isRecorded = (key: string) => keys.includes('all') || keys.includes(key)
  const entries = [...english].flatMap(([key, text]): [string, string][] => {
    const digest = isRecorded(key) ? digestOf(text) : translated[key]
    return digest === undefined ? [] : [[key, digest]]
  })
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS)
}
