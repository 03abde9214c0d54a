import { ICONS } from '#ui/lib/icons.ts'
import './MissingFolder.css'

/** A picture of a missing folder. */
export function MissingFolder() {
  return (
    <svg className="MissingFolder" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS.folder} />
    </svg>
  )
}
