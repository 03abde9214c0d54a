import type { ComponentProps, Ref } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import './FinderField.css'

interface FinderFieldProps extends Omit<ComponentProps<'input'>, 'list'> {
  icon: IconName
  /** What is looked for: its name for assistive technology, and its placeholder. */
  label: string
  /** The list below, there while it is open, and the row of it that Enter means. */
  list: { id: string; activeId: string | undefined; isOpen: boolean }
  input?: Ref<HTMLInputElement>
  closeLabel: string
  onClose(): void
}

/** The head of an overlay: what is written here finds the rows of the list below. */
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
