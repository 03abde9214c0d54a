import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Folds {
  /** For the path bar that is measured. */
  nav: RefObject<HTMLElement | null>
  /** How many parts more leave than would with all the room in the world. */
  folds: number
}

/**
 * How many parts of a path bar leave so that its last one stays whole. It is found by trying, before
 * anything is painted, anew for other `words` and for another width.
 *
 * @param most with so many folded, the last part is alone
 */
export function useFolds(words: string, most: number): Folds {
  const nav = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const key = `${width} ${words}`
  const [tried, setTried] = useState({ key, folds: 0 })
  const folds = tried.key === key ? tried.folds : 0

  useLayoutEffect(() => {
    if (folds < most && nav.current && isCut(nav.current)) setTried({ key, folds: folds + 1 })
  }, [key, folds, most])

  useEffect(() => {
    if (!nav.current) return
    const observer = new ResizeObserver(([bar]) => setWidth(bar?.contentRect.width ?? 0))
    observer.observe(nav.current)
    return () => observer.disconnect()
  }, [])

  return { nav, folds }
}

/** Only the last part gives way, so it is cut as soon as all of them have too little room. */
function isCut(nav: HTMLElement): boolean {
  const name = nav.querySelector('li:last-child bdi')
  return name !== null && name.scrollWidth > name.clientWidth
}
