import type { MouseEvent } from 'react'
import { focusWithoutIndicator } from '#ui/lib/last-input.ts'

/**
 * Moves the focus from the clicked button, which disappears, to the nearest element around it that matches `selector`.
 * Otherwise nothing has the focus, and Tab starts at the top of the page.
 */
export function focusAround({ currentTarget }: MouseEvent, selector: string): void {
  const around = currentTarget.closest<HTMLElement>(selector)
  if (!around) return
  // From the start it would be the first element of a dialog that can have the focus.
  around.tabIndex = -1
  focusWithoutIndicator(around)
}
