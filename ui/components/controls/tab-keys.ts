import type { KeyboardEvent } from 'react'
import { isRightToLeft } from '#ui/lib/page/direction.ts'

/**
 * Handles a key press in a tab list: the arrow keys, Home and End select another tab and focus it (WAI-ARIA, tabs).
 *
 * @param event of the element with the role `tablist`
 */
export function onTabKey(
  event: KeyboardEvent<HTMLElement>,
  onSelect: (index: number) => void,
): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const current = tabs.findIndex((tab) => tab.ariaSelected === 'true')
  const [before, after] = isRightToLeft()
    ? ['ArrowRight', 'ArrowLeft']
    : ['ArrowLeft', 'ArrowRight']
  const next = new Map([
    [before, current - 1],
    [after, current + 1],
    ['Home', 0],
    ['End', tabs.length - 1],
  ]).get(event.key)
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  const index = (next + tabs.length) % tabs.length
  onSelect(index)
  tabs[index]?.focus()
}
