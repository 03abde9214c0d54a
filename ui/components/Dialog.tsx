import { type ReactNode, useId } from 'react'
import { Modal } from './Modal.tsx'
import './Dialog.css'

interface DialogProps {
  /** Says the act: "Delete 3 items?". */
  title: string
  /** The consequence, in one sentence. */
  hint?: ReactNode
  wide?: boolean
  /** Wider still, for things beside each other. */
  size?: 'xl' | undefined
  /** Escape, and whatever else asks to close. The owner takes the dialog away. */
  onClose(): void
  children?: ReactNode
  /** Buttons, the safe one first. The first is focused unless something has `autoFocus`. */
  actions?: ReactNode
}

/** A native modal dialog. It is open for as long as it is rendered. */
export function Dialog({ title, hint, wide, size, onClose, children, actions }: DialogProps) {
  const titleId = useId()
  const hintId = useId()

  return (
    <Modal
      className="Dialog"
      focusFirst=".Dialog__actions button"
      data-wide={wide || undefined}
      data-size={size}
      aria-labelledby={titleId}
      aria-describedby={hint ? hintId : undefined}
      onClose={onClose}
    >
      <div className="Dialog__head">
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
