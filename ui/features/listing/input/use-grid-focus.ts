import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { focusWithoutIndicator } from '#ui/lib/page/last-input.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { indexOf, selection } from '#ui/state/folder/selection.ts'
import type { Entry } from '#wire/api/entry.ts'
import { boxOf, type Layout } from '../layout/layout.ts'
import type { Box } from '../layout/sections.ts'

/** The margin between an entry that is scrolled into view and the edge, in pixels. */
const MARGIN_PX = 8

/** Focuses the grid if nothing else has the focus, and keeps the cursor's entry in view. */
export function useGridFocus(
  grid: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  items: readonly Entry[],
  layout: Layout,
): void {
  const { revealRequests } = useSnapshot(selection)
  /** The last reveal request that was fulfilled. */
  const revealed = useRef(-1)

  useEffect(() => {
    const element = grid.current
    const hasNoFocus = document.activeElement === null || document.activeElement === document.body
    if (!element || !hasNoFocus || matchMedia(TOUCH).matches) return
    return focusWithoutIndicator(element)
  }, [grid])

  useLayoutEffect(() => {
    const box = boxOf(layout, indexOf(items, selection.cursor))
    if (!grid.current || !body.current || !box || revealed.current === revealRequests) return
    revealed.current = revealRequests
    bringIntoView(grid.current, body.current, box)
  }, [grid, body, items, layout, revealRequests])
}

/** Scrolls the smallest distance that shows the box below the sticky header. */
function bringIntoView(scroller: HTMLElement, body: HTMLElement, box: Box): void {
  const above = body.offsetTop
  const coveredBelow = Number.parseFloat(getComputedStyle(scroller).scrollPaddingBlockEnd) || 0
  const spaceAbove = scroller.clientHeight - coveredBelow - above - box.height
  const isFirst = box.y < box.height
  const top = isFirst ? 0 : box.y - MARGIN_PX
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (box.y > scroller.scrollTop + spaceAbove) {
    scroller.scrollTop = box.y - spaceAbove + MARGIN_PX
  }
}
