import type { MouseEvent, ReactNode } from 'react'
import { Modal } from './Modal.tsx'
import './Overlay.css'

interface OverlayProps {
  /** The accessible name. */
  label: string
  /** Called for Escape and a click outside. The parent then unmounts the overlay. */
  onClose(): void
  /** The first focusable element gets the focus. */
  children: ReactNode
}

/** A dialog without a title, for searching. In narrow windows it fills the viewport. */
export function Overlay({ label, onClose, children }: OverlayProps) {
  function closeOnBackdrop({ target, currentTarget }: MouseEvent) {
    if (target === currentTarget) onClose()
  }

  return (
    <Modal className="Overlay" aria-label={label} onClose={onClose} onClick={closeOnBackdrop}>
      {children}
    </Modal>
  )
}
