import { Icon } from './Icon.tsx'
import './Checkmark.css'

/**
 * The mark of a selected entry, in every view. An entry that is not selected shows an empty mark under the mouse. A
 * click on the mark selects or deselects the entry (`use-gestures.ts`, by `data-check`), as Ctrl+Space does.
 */
export function Checkmark({ isSelected }: { isSelected: boolean }) {
  return (
    <span className="Checkmark" data-check data-selected={isSelected || undefined}>
      {isSelected && <Icon name="check" />}
    </span>
  )
}
