/** The words of a search and what they mean (docs/api.md 1.15). Pure. */
import { Fault } from '#wire/fault.ts'
import { extensionOf } from '#wire/paths.ts'
import { typeByEnding } from './file-types.ts'

/** Whether an entry's own name is one that was looked for. */
export type NameMatcher = (name: string) => boolean

const WORDS_MAX = 32

const TYPES: Record<string, 'image' | 'audio' | 'video'> = {
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/** One of the conditions of a query, any of which may hold. */
export type Condition = { type: 'image' | 'audio' | 'video' } | { ending: string }

/** A query in its parts, for an index that looks for names without reading each. */
export interface SearchQuery {
  /** The case of letters matters. */
  sensitive: boolean
  /** Any of them occurs in the name; in lower case unless `sensitive`. */
  terms: readonly string[]
  conditions: readonly Condition[]
  /** All of it at once. */
  matches: NameMatcher
}

/** @throws Fault badRequest for too many words: each is looked for in every name */
export function parseQuery(query: string): NameMatcher {
  return readQuery(query).matches
}

/**
 * Reads a query: `type:WORD` conditions (any may hold; an unknown word is an exact ending),
 * `case:sensitive`, and terms of which any may occur in the name; quotes make one phrase.
 *
 * @throws as `parseQuery`
 */
export function readQuery(query: string): SearchQuery {
  let rest = query
  const sensitive = /case:sensitive/.test(rest)
  rest = rest.replace(/case:(in)?sensitive/g, '')
  const conditions: Condition[] = []
  rest = rest.replace(/type:(\w+)/g, (_, word: string) => {
    const type = TYPES[word]
    conditions.push(type ? { type } : { ending: `.${word}` })
    return ''
  })
  const fold = (text: string) => (sensitive ? text : text.toLowerCase())
  const terms = termsOf(rest.trim()).map(fold)
  if (terms.length + conditions.length > WORDS_MAX) {
    throw new Fault('badRequest', `A search has at most ${WORDS_MAX} words.`)
  }
  const matches = (name: string) => {
    if (conditions.length > 0 && !conditions.some((condition) => holds(condition, name)))
      return false
    const folded = fold(name)
    return terms.length === 0 || terms.some((term) => folded.includes(term))
  }
  return { sensitive, terms, conditions, matches }
}

function holds(condition: Condition, name: string): boolean {
  if ('type' in condition) return typeByEnding(name) === condition.type
  return extensionOf(name) === condition.ending
}

function termsOf(text: string): string[] {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(' ').filter((term) => term !== '')
}
