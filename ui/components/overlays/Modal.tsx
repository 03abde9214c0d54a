import type { ComponentProps, SyntheticEvent } from 'react'
import { useLayer } from './use-layer.ts'
import { useModal } from './use-modal.ts'
import './Modal.css'

interface ModalProps extends Omit<ComponentProps<'dialog'>, 'onCancel' | 'onClose' | 'ref'> {
  /** The class with its own styles. */
  className: string
  /** A selector of the element to focus; without it, the first focusable element. */
  focusFirst?: string
  /** Called for Escape and other requests to close. The parent then unmounts it. Absent: only its buttons close it. */
  onClose?: (() => void) | undefined
}

/** A native modal dialog, which is open while it is mounted. Its class says where it is in the window. */
export function Modal({ className, focusFirst, onClose, ...native }: ModalProps) {
  useLayer(() => onClose?.())
  const dialog = useModal(focusFirst)

  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    onClose?.()
  }

  return (
    <dialog
      {...native}
      // Without it, a second Escape closes the dialog whether or not the first was cancelled.
      {...(!onClose && { closedby: 'none' })}
      ref={dialog}
      className={`Modal ${className}`}
      onCancel={cancel}
    />
  )
}
