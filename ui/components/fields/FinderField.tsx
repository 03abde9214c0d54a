import type { ComponentProps, Ref } from 'react'
import { IconButton } from '../controls/IconButton.tsx'
import { Icon, type IconName } from '../icons/Icon.tsx'
import './FinderField.css'

interface FinderFieldProps extends Omit<ComponentProps<'input'>, 'list'> {
  icon: IconName
  /** The accessible name, also used as placeholder. */
  label: string
  /** The list below, which exists while it is open, and the active row. */
  list: { id: string; activeId: string | undefined; isOpen: boolean }
  input?: Ref<HTMLInputElement>
  closeLabel: string
  onClose(): void
}

/** The search field at the top of an overlay: a combobox for the list below. */
export function FinderField(props: FinderFieldProps) {
  const { icon, label, list, input, closeLabel, onClose, ...native } = props
  return (
    <div className="FinderField">
      <Icon name={icon} />
      <input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...native}
        ref={input}
        className="FinderField__text"
        type="text"
        role="combobox"
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-expanded={list.isOpen}
        aria-controls={list.isOpen ? list.id : undefined}
        aria-activedescendant={list.activeId}
      />
      <IconButton icon="x" label={closeLabel} onClick={onClose} />
    </div>
  )
}
