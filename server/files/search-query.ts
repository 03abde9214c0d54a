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

/**
 * Reads a query: `type:WORD` conditions (any may hold; an unknown word is an exact ending),
 * `case:sensitive`, and terms of which any may occur in the name; quotes make one phrase.
 *
 * @throws Fault badRequest for too many words: each is looked for in every name
 */
export function parseQuery(query: string): NameMatcher {
  let rest = query
  const sensitive = /case:sensitive/.test(rest)
  rest = rest.replace(/case:(in)?sensitive/g, '')
  const conditions: NameMatcher[] = []
  rest = rest.replace(/type:(\w+)/g, (_, word: string) => {
    conditions.push(conditionOf(word))
    return ''
  })
  const fold = (text: string) => (sensitive ? text : text.toLowerCase())
  const terms = termsOf(rest.trim()).map(fold)
  if (terms.length + conditions.length > WORDS_MAX) {
    throw new Fault('badRequest', `A search has at most ${WORDS_MAX} words.`)
  }
  return (name) => {
    if (conditions.length > 0 && !conditions.some((holds) => holds(name))) return false
    const folded = fold(name)
    return terms.length === 0 || terms.some((term) => folded.includes(term))
  }
}

function conditionOf(word: string): NameMatcher {
  const type = TYPES[word]
  if (type) return (name) => typeByEnding(name) === type
  return (name) => extensionOf(name) === `.${word}`
}

function termsOf(text: string): string[] {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(' ').filter((term) => term !== '')
}
