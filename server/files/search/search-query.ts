/** Parses search queries (docs/api.md 1.15). */
import { containsTerm, type NameTerms } from '#server/lib/name-terms.ts'
import { Fault } from '#wire/fault.ts'
import { canonicalText, foldText } from '#wire/fold.ts'
import { extensionOf } from '#wire/paths.ts'
import { typeByEnding } from '../file-types.ts'

/** Whether a name matches the query. */
export type NameMatcher = (name: string) => boolean

/** The most terms and conditions of a query: each is searched in every name. */
const WORDS_MAX = 32

const TYPES: Record<string, 'image' | 'audio' | 'video'> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/** A condition on the type or the extension. If a query has several, one of them must match. */
export type Condition = { type: 'image' | 'audio' | 'video' } | { ending: string }

/** A parsed query, for an index that searches names without reading each one. */
export interface SearchQuery extends NameTerms {
  /** If empty, a name needs to fulfil only the conditions. */
  terms: readonly string[]
  conditions: readonly Condition[]
  /** The whole query as a predicate. */
  matches: NameMatcher
}

/**
 * Parses a query: `type:WORD` conditions (any may match; an unknown word is a file extension), `case:sensitive`, and
 * terms of which any may occur in the name; quotes around the whole remaining text make it one term.
 *
 * @throws Fault badRequest (more than `WORDS_MAX` words)
 */
export function parseQuery(query: string): SearchQuery {
  let unparsed = query
  const isCaseSensitive = /case:sensitive/.test(unparsed)
  unparsed = unparsed.replace(/case:(in)?sensitive/g, '')
  const conditions: Condition[] = []
  unparsed = unparsed.replace(/type:(\w+)/g, (_, word: string) => {
    const type = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined
    conditions.push(type ? { type } : { ending: `.${word}` })
    return ''
  })
  const words = termsOf(unparsed.trim())
  const terms = words.map(isCaseSensitive ? canonicalText : foldText)
  if (terms.length + conditions.length > WORDS_MAX) {
    throw new Fault('badRequest', `A search may have at most ${WORDS_MAX} words.`, {
      reason: 'searchTooLong',
      params: { words: WORDS_MAX },
    })
  }
  const matches = (name: string) => {
    if (conditions.length > 0 && !conditions.some((condition) => holds(condition, name)))
      return false
    return terms.length === 0 || containsTerm(name, { terms, isCaseSensitive })
  }
  return { isCaseSensitive, terms, conditions, matches }
}

function holds(condition: Condition, name: string): boolean {
  if ('type' in condition) return typeByEnding(name) === condition.type
  return extensionOf(name) === condition.ending
}

function termsOf(text: string): string[] {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(' ').filter((term) => term !== '')
}
