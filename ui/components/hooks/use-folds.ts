import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface Folds<Bar extends HTMLElement> {
  /** The ref of the element that is measured. */
  bar: RefObject<Bar | null>
  /** The number of steps by which the bar is folded: each step hides more of its content. */
  folds: number
}

/**
 * Folds a bar step by step until no content is truncated, before the browser paints. If `content` or the width changes,
 * folding begins again with the whole content.
 *
 * @param content identifies the content of the bar
 * @param foldsMax the maximum number of steps
 * @param isCut whether the bar is too narrow for its content as it is folded now
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
  // The limit may have become smaller since, before the new width is measured.
  const folds = tried.key === key ? Math.min(tried.folds, foldsMax) : 0

  useLayoutEffect(() => {
    if (folds < foldsMax && bar.current && isCut(bar.current)) setTried({ key, folds: folds + 1 })
  }, [key, folds, foldsMax, isCut])

  const measure = useEffectEvent(() => {
    const parts = bar.current ? [bar.current, neighbourOf?.(bar.current)] : []
    const widths = parts.map((part) => part?.getBoundingClientRect().width ?? 0)
    const newWidth = widths.reduce((sum, width) => sum + width, 0)
    // Differences below one pixel are rounding errors: folding for them would never end.
    setWidth((before) => (Math.abs(newWidth - before) < 1 ? before : newWidth))
  })
  useEffect(() => {
    if (!bar.current) return
    const observer = new ResizeObserver(() => measure())
    observer.observe(bar.current)
    return () => observer.disconnect()
  }, [])

  return { bar, folds }
}
