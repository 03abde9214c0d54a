import { Icon } from './Icon.tsx'
import './Tick.css'

/** The one mark of selection, in every view. */
export function Tick() {
  return (
    <span className="Tick">
      <Icon name="check" />
    </span>
  )
}
