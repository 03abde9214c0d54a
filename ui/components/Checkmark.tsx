import { Icon } from './Icon.tsx'
import './Checkmark.css'

/** The one mark of selection, in every view. */
export function Checkmark() {
  return (
    <span className="Checkmark">
      <Icon name="check" />
    </span>
  )
}
