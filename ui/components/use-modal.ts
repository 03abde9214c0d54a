import { type RefObject, useEffect, useRef } from 'react'

/**
 * A native modal dialog that is open for as long as it is rendered. The focus goes back to where it
 * was.
 *
 * @param first whom the focus goes to, unless the dialog's own content has asked for it
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
