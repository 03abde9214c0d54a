import { type RefObject, useEffect, useState } from 'react'

/** The number of rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 16

/** The range of rows near the viewport of `scroller`; all rows are `rowPx` high. */
export function useRows(scroller: RefObject<HTMLElement | null>, count: number, rowPx: number) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    function measure(): void {
      if (!element) return
      const first = Math.max(0, Math.floor(element.scrollTop / rowPx) - OVERSCAN_ROWS)
      const shown = Math.ceil(element.clientHeight / rowPx) + 2 * OVERSCAN_ROWS
      const last = Math.min(count, first + shown)
      setRange((now) => (now.first === first && now.last === last ? now : { first, last }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, count, rowPx])
  return range
}
