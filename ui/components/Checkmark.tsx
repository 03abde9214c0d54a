import { Icon } from './Icon.tsx'
import './Checkmark.css'

/** The mark of a selected entry, in every view. */
export function Checkmark() {
  return (
    <span className="Checkmark">
      <Icon name="check" />
    </span>
  )
}
