/** The words of a search (docs/api.md 1.15), as far as they show. */

/** What a search can be narrowed to, as the query spells it: `type:image`. */
export const SEARCH_TYPES = ['image', 'audio', 'video', 'pdf'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

const TYPE = /type:\w+/g
const CASE = /case:(in)?sensitive/g

export function hasType(query: string, type: SearchType): boolean {
  return new Set<string>(query.match(TYPE)).has(`type:${type}`)
}

/** The query with this type put before it, or without it when it has it. */
export function toggleType(query: string, type: SearchType): string {
  const condition = `type:${type}`
  if (!hasType(query, type)) return `${condition} ${query}`
  return query.replace(TYPE, (found) => (found === condition ? '' : found)).trim()
}

/** A piece of a name, and whether it is what was looked for. */
export interface NamePiece {
  text: string
  found: boolean
}

/** The name in pieces: those that the query's words have found, and what is between. */
export function piecesOf(name: string, query: string): NamePiece[] {
  const sensitive = query.includes('case:sensitive')
  const fold = (text: string) => (sensitive ? text : text.toLowerCase())
  const folded = fold(name)
  // Some letters have another length when they are small: the places would no longer fit.
  const terms = folded.length === name.length ? termsOf(query).map(fold) : []
  const pieces: NamePiece[] = []
  for (let at = 0; at < name.length; ) {
    const next = nextTerm(folded, terms, at)
    if (next.start > at) pieces.push({ text: name.slice(at, next.start), found: false })
    if (next.end > next.start) pieces.push({ text: name.slice(next.start, next.end), found: true })
    at = next.end
  }
  return pieces
}

/** What is looked for in names: a phrase in quotes, or words of which any is enough. */
export function termsOf(query: string): string[] {
  const text = query.replace(CASE, '').replace(TYPE, '').trim()
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return [text.slice(1, -1)]
  return text.split(' ').filter((term) => term !== '')
}

/** Where the first of the terms stands, the longest of those that begin there; else the end. */
function nextTerm(name: string, terms: readonly string[], from: number) {
  let found = { start: name.length, end: name.length }
  for (const term of terms) {
    const start = name.indexOf(term, from)
    const end = start + term.length
    const isBetter = start < found.start || (start === found.start && end > found.end)
    if (start >= 0 && isBetter) found = { start, end }
  }
  return found
}
