import type { MouseEvent } from 'react'
import { focusWithoutIndicator } from '#ui/lib/page/last-input.ts'

/**
 * Moves the focus from the clicked button, which disappears, to the nearest element around it that matches `selector`.
 * Otherwise nothing has the focus, and Tab starts at the top of the page.
 */
export function focusAround({ currentTarget }: MouseEvent, selector: string): void {
  const around = currentTarget.closest<HTMLElement>(selector)
  if (!around) return
  // Set only now: otherwise a dialog would focus this element first when it opens.
  around.tabIndex = -1
  focusWithoutIndicator(around)
}
