import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface Folds<Bar extends HTMLElement> {
  /** For the element that is measured. */
  bar: RefObject<Bar | null>
  /** The number of steps that it is folded. */
  folds: number
}

/**
 * The number of steps that a bar folds so that no content is truncated. It is found by trying before the browser
 * paints, and again if `content` or the width changes.
 *
 * @param content identifies the content of the bar
 * @param foldsMax the maximum number of steps
 * @param isCut whether the bar is too narrow now
 * @param neighbourOf finds the element that shares its space with the bar: the width of both counts
 */
export function useFolds<Bar extends HTMLElement>(
  content: string,
  foldsMax: number,
  isCut: (bar: Bar) => boolean,
  neighbourOf?: (bar: Bar) => Element | null,
): Folds<Bar> {
  const bar = useRef<Bar>(null)
  const [width, setWidth] = useState(0)
  const key = `${width} ${content}`
  const [tried, setTried] = useState({ key, folds: 0 })
  const folds = tried.key === key ? tried.folds : 0

  useLayoutEffect(() => {
    if (folds < foldsMax && bar.current && isCut(bar.current)) setTried({ key, folds: folds + 1 })
  }, [key, folds, foldsMax, isCut])

  const measure = useEffectEvent(() => {
    const parts = bar.current ? [bar.current, neighbourOf?.(bar.current)] : []
    const widths = parts.map((part) => part?.getBoundingClientRect().width ?? 0)
    const next = widths.reduce((sum, one) => sum + one, 0)
    // Differences below one pixel are rounding errors: folding for them would never end.
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
