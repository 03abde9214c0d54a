import { piecesOf } from '#ui/lib/entries/find-text.ts'
import { endOf, shownName } from '#ui/lib/entries/shown-name.ts'
import { toQuery } from '#ui/state/finder/query.ts'
import { Marked, piecesUntil } from './Marked.tsx'
import '#ui/components/icons/Name.css'

interface HitNameProps {
  name: string
  /** The typed text, whose matches are highlighted. */
  typed: string
}

/** The name of a result, with highlighted matches. A long one is cut in its middle, like `Name`. */
export function HitName({ name, typed }: HitNameProps) {
  const { text } = shownName(name)
  const pieces = piecesOf(text, toQuery(typed))
  const end = endOf(text)
  if (end === 0) {
    return (
      <span className="Name" dir="auto">
        <Marked pieces={pieces} />
      </span>
    )
  }
  const [start, rest] = piecesUntil(pieces, end)
  return (
    <span className="Name" dir="auto">
      <span className="Name__whole">{text}</span>
      <span className="Name__start" aria-hidden>
        <Marked pieces={start} isPainted />
      </span>
      <span className="Name__end" aria-hidden>
        <Marked pieces={rest} isPainted />
      </span>
    </span>
  )
}
