/** Finding by name: the query and its results (docs/api.md 26). */

import { foldText } from '../fold.ts'
import { parseSize } from '../units.ts'
import type { Entry } from './entry.ts'

export interface Found {
  /** Best first; so many at most as `FOUND_PAGE`. */
  hits: Entry[]
  /** How many there are in all; at least so many if `isPartial`. */
  total: number
  /** A limit was reached before everything was searched, some folders are too deep, or a disk does not respond. */
  isPartial: boolean
  /** A disk does not respond, so that more may exist. */
  isSilent?: boolean
  /** The search for exact names found so few that one without `exact` also finds similar names. */
  hasSimilar?: boolean
}

/** The results in one response. */
export const FOUND_PAGE = 50

/** A text file with a line that contains all words. */
export interface FoundText extends Entry {
  line: number
  /** The line, or its part around the first word. */
  excerpt: string
}

export interface FoundTexts {
  hits: FoundText[]
  /** A limit of time, bytes, results or depth was reached before everything was read, or a disk does not respond. */
  isPartial: boolean
  /** A disk does not respond, so that more may exist. */
  isSilent?: boolean
}

/** The parsed query. All words must match, and one of the types if there are any. */
export interface FindQuery {
  /** Folded (wire/fold.ts); a quoted phrase counts as one. */
  words: readonly string[]
  /** `image`, `folder`, or a file extension. */
  types: readonly string[]
  /** Names of parent folders, or parts of them. */
  within: readonly string[]
  /** Changed before, and at or after, this time in milliseconds since 1970. */
  beforeMs: number | undefined
  afterMs: number | undefined
  /** Only files larger than this, in bytes. */
  largerThan: number | undefined
}

/** Limit of words and conditions; further ones are ignored. */
const PARTS_MAX = 16
/** Limit of the query in characters. */
export const FIND_TEXT_MAX = 512

/** So many letters has at least one word of a search in contents. */
export const FIND_TEXT_LETTERS_MIN = 3
/** Scripts in which a single letter may be a word. */
const WORD_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Whether a search for these words in contents finds few enough files. */
export function areSearchedInText(words: readonly string[]): boolean {
  return words.some((word) => word.length >= FIND_TEXT_LETTERS_MIN || WORD_LETTER.test(word))
}

/** A condition or a word; quotes keep several words together, also after a colon. */
const PART = /(?:(type|in|before|after|larger):)?(?:"([^"]*)"?|(\S+))/gi

/** Parses a query. An incomplete condition, as while typing, is ignored. */
export function parseFind(text: string): FindQuery {
  const words: string[] = []
  const types: string[] = []
  const within: string[] = []
  const query = { words, types, within } as const
  let [beforeMs, afterMs, largerThan]: (number | undefined)[] = []
  for (const [, key = '', phrase, plain = ''] of [...text.matchAll(PART)].slice(0, PARTS_MAX)) {
    const value = foldText(phrase ?? plain)
    const isIncomplete = /^(type|in|before|after|larger):$/.test(value)
    if (value === '' || isIncomplete) continue
    if (key === '') words.push(value)
    else if (/^type$/i.test(key)) types.push(value.replace(/^\./, ''))
    else if (/^in$/i.test(key)) within.push(value)
    else if (/^before$/i.test(key)) beforeMs = parseDay(value) ?? beforeMs
    else if (/^after$/i.test(key)) afterMs = parseDay(value) ?? afterMs
    else largerThan = parseSize(value) ?? largerThan
  }
  return { ...query, beforeMs, afterMs, largerThan }
}

/** The start of `2024`, `2024-05` or `2024-05-17` in UTC; undefined for other texts. */
function parseDay(text: string): number | undefined {
  if (!/^\d{4}(-\d\d){0,2}$/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
