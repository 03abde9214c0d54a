/** Parses the finder's text for the interface. */
import { parseFind } from '#wire/find.ts'

/** The types that narrow a search, as they are typed: `type:image`. */
export const FIND_TYPES = ['folder', 'image', 'audio', 'video', 'pdf'] as const
export type FindType = (typeof FIND_TYPES)[number]

const TYPE = /type:\w+/g

export function hasType(text: string, type: FindType): boolean {
  return new Set<string>(text.match(TYPE)).has(`type:${type}`)
}

/** Prepends this type to the text, or removes it if it is there. */
export function toggleType(text: string, type: FindType): string {
  const condition = `type:${type}`
  if (!hasType(text, type)) return `${condition} ${text}`
  return text.replace(TYPE, (found) => (found === condition ? '' : found)).trim()
}

/** A piece of a name, and whether it matches the search. */
export interface NamePiece {
  text: string
  found: boolean
}

/** Splits a name into matching pieces and the text between them. */
export function piecesOf(name: string, text: string): NamePiece[] {
  const folded = name.toLowerCase()
  const pieces: NamePiece[] = []
  // Some letters change their length in lower case: the offsets would no longer match.
  const words = folded.length === name.length ? parseFind(text).words : []
  for (let at = 0; at < name.length; ) {
    const next = nextTerm(folded, words, at)
    if (next.start > at) pieces.push({ text: name.slice(at, next.start), found: false })
    if (next.end > next.start) pieces.push({ text: name.slice(next.start, next.end), found: true })
    at = next.end
  }
  return pieces
}

/** The offset of the next match, the longest of those that begin there; else the end. */
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
