import type { ComponentProps, SyntheticEvent } from 'react'
import { useLayer } from './use-layer.ts'
import { useModal } from './use-modal.ts'
import './Modal.css'

interface ModalProps extends Omit<ComponentProps<'dialog'>, 'onCancel' | 'onClose' | 'ref'> {
  /** The looks that are its own. */
  className: string
  /** A selector of what has the focus first; without it, the first that can have it. */
  focusFirst?: string
  /** Escape, and whatever else asks to close. The owner takes it away. */
  onClose(): void
}

/** A native modal dialog in the middle of the window. It is open for as long as it is rendered. */
export function Modal({ className, focusFirst, onClose, ...native }: ModalProps) {
  useLayer(onClose)
  const dialog = useModal(focusFirst)

  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    onClose()
  }

  return <dialog {...native} ref={dialog} className={`Modal ${className}`} onCancel={cancel} />
}
