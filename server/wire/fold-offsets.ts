/** Folds a text and remembers where its parts come from, for highlighted matches. */
import { foldText } from './fold.ts'

/** Where in a text each unit of its folded form comes from. */
export interface FoldedText {
  folded: string
  /** The offset of a unit of `folded` in the text; the length of the text for the end. */
  offsets: readonly number[]
}

/** Folds a short text, for what is shown of a match in it. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = ''
  const offsets: number[] = []
  let offset = 0
  for (const character of text) {
    // A mark belongs to the letter before it.
    const part = /^\p{M}$/u.test(character) && folded !== '' ? '' : foldText(character)
    for (let unit = 0; unit < part.length; unit += 1) offsets.push(offset)
    folded += part
    offset += character.length
  }
  return { folded, offsets: [...offsets, text.length] }
}
