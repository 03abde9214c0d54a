/** The parts of the finder's text that the interface itself evaluates: types, and the words to highlight in names. */
import { parseFind } from '#wire/api/find.ts'
import { foldWithOffsets } from '#wire/fold-offsets.ts'

/** The types that narrow a search, as they are typed: `type:image`. */
export const FIND_TYPES = ['folder', 'image', 'audio', 'video', 'pdf'] as const
export type FindType = (typeof FIND_TYPES)[number]

/** A piece of a name; `isMatch`: whether it matches a word of the search. */
export interface NamePiece {
  text: string
  isMatch: boolean
}

/**
 * Splits a name into matching pieces and the text between them.
 *
 * @param text the query, with English conditions
 */
export function piecesOf(name: string, text: string): NamePiece[] {
  const { folded, offsets } = foldWithOffsets(name)
  const pieces: NamePiece[] = []
  const { words } = parseFind(text)
  const part = (start: number, end: number) => name.slice(offsets[start], offsets[end])
  for (let offset = 0; offset < folded.length; ) {
    const { start, end } = nextMatch(folded, words, offset)
    addPiece(pieces, part(offset, start), false)
    addPiece(pieces, part(start, end), true)
    offset = end
  }
  return pieces
}

/** A letter of the name may be two in the folded name, and its second half no piece of its own. */
function addPiece(pieces: NamePiece[], text: string, isMatch: boolean): void {
  if (text !== '') pieces.push({ text, isMatch })
}

/** @returns the offsets of the next match, the longest if several begin there; without a match, the end of the name */
function nextMatch(name: string, words: readonly string[], from: number) {
  let match = { start: name.length, end: name.length }
  for (const word of words) {
    const start = name.indexOf(word, from)
    const end = start + word.length
    const isBetter = start < match.start || (start === match.start && end > match.end)
    if (start >= 0 && isBetter) match = { start, end }
  }
  return match
}
