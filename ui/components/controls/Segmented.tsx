import { Icon, type IconName } from '../icons/Icon.tsx'
import './Segmented.css'

export interface Segment {
  id: string
  label: string
  icon: IconName
  pressed: boolean
  onSelect(): void
}

/** A segmented control: options side by side, of which one is active. */
export function Segmented({ label, options }: { label: string; options: readonly Segment[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="Segmented" role="group" aria-label={label}>
      {options.map(({ id, label, icon, pressed, onSelect }) => (
        <button
          key={id}
          type="button"
          className="Segmented__option"
          aria-label={label}
          data-tip={label}
          aria-pressed={pressed}
          onClick={onSelect}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
}
