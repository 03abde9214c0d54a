import { formatLength } from '#ui/i18n/length.ts'
import { Icon } from '../icons/Icon.tsx'
import './FilmBadge.css'

/** Marks the thumbnail of a film, with the duration if it is known. */
export function FilmBadge({ seconds }: { seconds: number }) {
  return (
    <span className="FilmBadge">
      <Icon name="play" />
      {seconds > 0 && formatLength(seconds)}
    </span>
  )
}
