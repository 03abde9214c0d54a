import type { MouseEvent, ReactNode } from 'react'
import { Modal } from './Modal.tsx'
import './Overlay.css'

interface OverlayProps {
  /** Its name for assistive technology. */
  label: string
  /** Escape, and a click beside it. The owner takes the overlay away. */
  onClose(): void
  /** The first that can have the focus gets it. */
  children: ReactNode
}

/** A dialog without a title, to find something in. Narrow windows give it all they have. */
export function Overlay({ label, onClose, children }: OverlayProps) {
  function closeBeside({ target, currentTarget }: MouseEvent) {
    if (target === currentTarget) onClose()
  }

  return (
    <Modal className="Overlay" aria-label={label} onClose={onClose} onClick={closeBeside}>
      {children}
    </Modal>
  )
}
