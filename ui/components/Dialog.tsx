import { type ReactNode, type SyntheticEvent, useId } from 'react'
import { useLayer } from './use-layer.ts'
import { useModal } from './use-modal.ts'
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
  useLayer(onClose)
  const dialog = useModal('[data-autofocus], .Dialog__actions button')
  const titleId = useId()
  const hintId = useId()

  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    onClose()
  }

  return (
    <dialog
      ref={dialog}
      className="Dialog"
      data-wide={wide || undefined}
      data-size={size}
      aria-labelledby={titleId}
      aria-describedby={hint ? hintId : undefined}
      onCancel={cancel}
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
    </dialog>
  )
}
