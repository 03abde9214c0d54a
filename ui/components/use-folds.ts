import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface Folds<Bar extends HTMLElement> {
  /** For the bar that is measured. */
  bar: RefObject<Bar | null>
  /** How many steps it has to fold. */
  folds: number
}

/**
 * How many steps a bar folds so that nothing in it is cut. It is found by trying, before anything is painted,
 * anew for other `words` and for another width.
 *
 * @param words with the same, the bar has the same content
 * @param most with so many steps, it cannot fold any more
 * @param isCut whether the bar has too little room now
 * @param beside finds what shares its room with the bar and gives way to it: the width of both counts
 */
export function useFolds<Bar extends HTMLElement>(
  words: string,
  most: number,
  isCut: (bar: Bar) => boolean,
  beside?: (bar: Bar) => Element | null,
): Folds<Bar> {
  const bar = useRef<Bar>(null)
  const [width, setWidth] = useState(0)
  const key = `${width} ${words}`
  const [tried, setTried] = useState({ key, folds: 0 })
  const folds = tried.key === key ? tried.folds : 0

  useLayoutEffect(() => {
    if (folds < most && bar.current && isCut(bar.current)) setTried({ key, folds: folds + 1 })
  }, [key, folds, most, isCut])

  const measure = useEffectEvent(() => {
    const parts = bar.current ? [bar.current, beside?.(bar.current)] : []
    const widths = parts.map((part) => part?.getBoundingClientRect().width ?? 0)
    const next = widths.reduce((sum, one) => sum + one, 0)
    // Less than a pixel is a matter of rounding: folding again for it would never end.
    setWidth((before) => (Math.abs(next - before) < 1 ? before : next))
  })
  useEffect(() => {
    if (!bar.current) return
    const observer = new ResizeObserver(() => measure())
    observer.observe(bar.current)
    return () => observer.disconnect()
  }, [])

  return { bar, folds }
}
