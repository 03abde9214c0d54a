import { type RefObject, useLayoutEffect, useRef } from 'react'
import { listing } from '#ui/state/folder/listing.ts'
import { indexOf } from '#ui/state/folder/selection.ts'
import type { Entry } from '#wire/api/entry.ts'
import { boxOf, itemsWithin, type Layout } from '../layout/layout.ts'

/**
 * Keeps the first visible entry in its place when entries appear or vanish above it. At the top of the list, and after a
 * change of order, filter or view, the list begins where it did.
 */
export function useScrollAnchor(
  grid: RefObject<HTMLElement | null>,
  items: readonly Entry[],
  layout: Layout,
  order: string,
): void {
  const arrangement = `${order} ${layout.width} ${listing.filter}`
  const last = useRef({ items, layout, arrangement })
  useLayoutEffect(() => {
    const before = last.current
    last.current = { items, layout, arrangement }
    if (before.items === items || before.arrangement !== arrangement) return
    const scroller = grid.current
    // Read only if it is needed: the browser lays the page out for it.
    const top = scroller?.scrollTop
    if (!top) return
    const view = { x: 0, y: top, width: layout.width, height: scroller.clientHeight }
    for (const index of itemsWithin(before.layout, view)) {
      const from = boxOf(before.layout, index)
      const to = boxOf(layout, indexOf(items, before.items[index]?.path))
      if (!from || !to) continue
      scroller.scrollTop = top + to.y - from.y
      return
    }
  }, [grid, items, layout, arrangement])
}
