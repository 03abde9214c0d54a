import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in an element whose buttons change with a value: when the focused button is gone, the first button of the
 * element gets the focus. Otherwise the next key would begin at the top of the page.
 *
 * @param value changes with the buttons
 * @returns for the element
 */
export function useKeptFocus<Kind extends HTMLElement>(value: unknown): RefObject<Kind | null> {
  const element = useRef<Kind>(null)
  const wasInside = useRef(false)

  useEffect(() => {
    function note({ target }: FocusEvent) {
      // A dialog is a part of what the user does in the element.
      if (!(target instanceof Element) || target.closest('dialog')) return
      wasInside.current = element.current?.contains(target) ?? false
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the buttons change
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (isLost && wasInside.current) element.current?.querySelector('button')?.focus()
  }, [value])

  return element
}
