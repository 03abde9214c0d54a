import type { MouseEvent, ReactNode, SyntheticEvent } from 'react'
import { useLayer } from './use-layer.ts'
import { useModal } from './use-modal.ts'
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
  useLayer(onClose)
  const dialog = useModal()

  function cancel(event: SyntheticEvent) {
    event.preventDefault()
    onClose()
  }

  function closeBeside({ target, currentTarget }: MouseEvent) {
    if (target === currentTarget) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className="Overlay"
      aria-label={label}
      onCancel={cancel}
      onClick={closeBeside}
    >
      {children}
    </dialog>
  )
}
