import type { NamePiece } from '#ui/lib/entries/find-text.ts'
import './Marked.css'

interface MarkedProps {
  pieces: readonly NamePiece[]
  /** Whether the text is only painted, because another element contains it. */
  isPainted?: boolean
}

/** A text with the matches of the typed text highlighted. */
export function Marked({ pieces, isPainted = false }: MarkedProps) {
  return pieces.map(({ text, isMatch }, index) => {
    const Piece = isMatch ? 'mark' : 'span'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text stay in order
      <Piece key={index} className="Marked" data-text={isPainted ? text : undefined}>
        {isPainted ? null : text}
      </Piece>
    )
  })
}

/** @returns the pieces before the offset `end` of their text, and those from there on */
export function piecesUntil(
  pieces: readonly NamePiece[],
  end: number,
): [before: NamePiece[], after: NamePiece[]] {
  const [before, after]: [NamePiece[], NamePiece[]] = [[], []]
  let offset = 0
  for (const { text, isMatch } of pieces) {
    const cut = Math.max(0, end - offset)
    if (cut > 0) before.push({ text: text.slice(0, cut), isMatch })
    if (cut < text.length) after.push({ text: text.slice(cut), isMatch })
    offset += text.length
  }
  return [before, after]
}
