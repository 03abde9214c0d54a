import { type ReactNode, useId } from 'react'
import { Modal } from './Modal.tsx'
import './Dialog.css'

interface DialogProps {
  /** Names the action: "Delete 3 items?". */
  title: string
  /** The consequence, in one sentence. */
  hint?: ReactNode
  wide?: boolean
  /** The widest size, for content side by side. */
  size?: 'xl' | undefined
  /** The card takes the place of the page, with this picture above the title: a step of a sign-in. */
  picture?: ReactNode
  /** Called for Escape and other requests to close. The parent then unmounts the dialog. Absent: only its buttons close it. */
  onClose?: (() => void) | undefined
  children?: ReactNode
  /** Buttons, the safe one first. The first is focused unless an element has `autoFocus`. */
  actions?: ReactNode
}

/** A native modal dialog, which is open while it is mounted. */
export function Dialog({
  title,
  hint,
  wide,
  size,
  picture,
  onClose,
  children,
  actions,
}: DialogProps) {
  const titleId = useId()
  const hintId = useId()

  return (
    <Modal
      className="Dialog"
      focusFirst=".Dialog__actions button"
      data-wide={wide || undefined}
      data-size={size}
      data-page={picture ? true : undefined}
      aria-labelledby={titleId}
      aria-describedby={hint ? hintId : undefined}
      onClose={onClose}
    >
      <div className="Dialog__head">
        {picture}
        <h2 className="Dialog__title" id={titleId}>
          {title}
        </h2>
        {hint && (
          <p className="Dialog__text" id={hintId}>
            {hint}
          </p>
        )}
      </div>
      {children}
      {actions && <div className="Dialog__actions">{actions}</div>}
    </Modal>
  )
}
