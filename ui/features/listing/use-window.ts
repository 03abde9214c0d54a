import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** Rows beyond the edges that exist too, so that a quick scroll shows no gap. */
const OVERSCAN = 12
/** Rows before anything is measured. */
const FIRST_GUESS = 40

export interface View {
  first: number
  /** One past the last row that exists. */
  last: number
  /** Pixels, measured; 0 before. */
  rowHeight: number
}

/** Which of `count` rows of one height are near the window of `scroller`. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  count: number,
): View {
  const [view, setView] = useState<View>({
    first: 0,
    last: Math.min(count, FIRST_GUESS),
    rowHeight: 0,
  })

  const measure = useCallback(() => {
    if (!scroller.current || !body.current || count === 0) return
    const rowHeight = body.current.getBoundingClientRect().height / count
    const seen = scroller.current.clientHeight
    const next = windowOf(scroller.current.scrollTop, seen, rowHeight, count)
    setView((old) => (isSame(old, next) ? old : next))
  }, [scroller, body, count])

  useLayoutEffect(measure, [measure])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (body.current) observer.observe(body.current)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroller, body, measure])

  return view
}

/** The rows seen at `scrollTop`, and some around them, in steps so that not every pixel counts. */
export function windowOf(scrollTop: number, seen: number, rowHeight: number, count: number): View {
  if (rowHeight <= 0) return { first: 0, last: Math.min(count, FIRST_GUESS), rowHeight: 0 }
  const step = OVERSCAN / 2
  const top = Math.floor(scrollTop / rowHeight / step) * step
  const rows = Math.ceil(seen / rowHeight) + step
  return {
    first: Math.max(0, Math.min(top, count - rows) - OVERSCAN),
    last: Math.min(count, top + rows + OVERSCAN),
    rowHeight,
  }
}

function isSame(a: View, b: View): boolean {
  return a.first === b.first && a.last === b.last && a.rowHeight === b.rowHeight
}
