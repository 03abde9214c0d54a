import { Icon } from './Icon.tsx'
import './Checkmark.css'

/**
 * The mark of a selected entry, in every view. Under the mouse an entry that is not selected has an empty one; a click
 * on either selects or deselects (`data-check`). The keyboard has Ctrl+Space.
 */
export function Checkmark({ isSelected }: { isSelected: boolean }) {
  return (
    <span className="Checkmark" data-check data-selected={isSelected || undefined}>
      {isSelected && <Icon name="check" />}
    </span>
  )
}
