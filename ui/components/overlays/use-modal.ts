import { type RefObject, useEffect, useRef } from 'react'
import { openerOf } from '#ui/lib/page/early-field.ts'

/**
 * A native modal dialog that is open while it is mounted. Closing it restores the focus.
 *
 * @param first a selector of the element to focus, unless the dialog's content has set the focus itself
 */
export function useModal(first?: string): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = openerOf(document.activeElement)
    if (!element.open) element.showModal()
    if (!element.contains(document.activeElement) || document.activeElement === element) {
      if (first) element.querySelector<HTMLElement>(first)?.focus({ preventScroll: true })
    }
    // In a low window the focused button may be below the fold: a dialog is read from its beginning.
    element.scrollTop = 0
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [first])

  return dialog
}
