import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { TOUCH } from '#ui/lib/media.ts'
import { indexOf, selection } from '#ui/state/selection.ts'
import type { Entry } from '#wire/entry.ts'
import type { View } from './use-window.ts'

/** Keeps the keyboard on the list when nothing else has it, and the cursor's row in view. */
export function useGridFocus(
  grid: RefObject<HTMLElement | null>,
  items: readonly Entry[],
  { rowHeight }: View,
): void {
  const { reveals } = useSnapshot(selection)
  const revealed = useRef(-1)

  useEffect(() => {
    const idle = document.activeElement === null || document.activeElement === document.body
    if (idle && !matchMedia(TOUCH).matches) grid.current?.focus({ preventScroll: true })
  }, [grid])

  useLayoutEffect(() => {
    const at = indexOf(items, selection.cursor)
    if (!grid.current || rowHeight === 0 || at < 0 || revealed.current === reveals) return
    revealed.current = reveals
    bringIntoView(grid.current, at * rowHeight, rowHeight)
  }, [grid, items, rowHeight, reveals])
}

/** Scrolls as little as shows the row at `top` below the header that stays. */
function bringIntoView(scroller: HTMLElement, top: number, rowHeight: number): void {
  const rows = scroller.querySelector<HTMLElement>('.Listing__rows')
  const header = rows?.offsetTop ?? 0
  const room = scroller.clientHeight - header - rowHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top > scroller.scrollTop + room) scroller.scrollTop = top - room
}
