import { ICONS } from '#ui/lib/icons.ts'
import './MissingFolder.css'

/** The outline of a folder that is not there. */
export function MissingFolder() {
  return (
    <svg className="MissingFolder" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS.folder} />
    </svg>
  )
}
