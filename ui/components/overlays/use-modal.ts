import { type RefObject, useEffect, useRef } from 'react'

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
    const opener = document.activeElement
    if (!element.open) element.showModal()
    if (!element.contains(document.activeElement) || document.activeElement === element) {
      if (first) element.querySelector<HTMLElement>(first)?.focus()
    }
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [first])

  return dialog
}
