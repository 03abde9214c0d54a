import { type RefObject, useEffect, useState } from 'react'

/** Rows kept above and below those in view. */
const SPARE = 16

/** Which rows of a long table are near the window of `scroller`; all rows are `rowPx` high. */
export function useRows(scroller: RefObject<HTMLElement | null>, count: number, rowPx: number) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    function measure(): void {
      if (!element) return
      const first = Math.max(0, Math.floor(element.scrollTop / rowPx) - SPARE)
      const shown = Math.ceil(element.clientHeight / rowPx) + 2 * SPARE
      const last = Math.min(count, first + shown)
      setRange((now) => (now.first === first && now.last === last ? now : { first, last }))
    }
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, count, rowPx])
  return range
}
