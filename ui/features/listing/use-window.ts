import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { Metrics } from './layout.ts'

/** What exists beyond the edges too, so that a quick scroll shows no gap. Pixels. */
const OVERSCAN_PX = 480
/** Not every pixel of a scroll counts. */
const STEP_PX = 200

/** The part of the items that exists, in pixels of the body. */
export interface Reach {
  top: number
  bottom: number
}

export interface View {
  /** Undefined before anything is measured. */
  metrics: Metrics | undefined
  reach: Reach
}

const NOTHING: View = { metrics: undefined, reach: { top: 0, bottom: 0 } }

/** What the style sheet and the window say about the items that scroll in `scroller`. */
export function useWindow(scroller: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState(NOTHING)

  useLayoutEffect(() => {
    if (scroller.current) setView(measured(scroller.current))
  }, [scroller])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const follow = () => setView((old) => withReach(old, reachOf(element)))
    const measure = () => setView((old) => renewed(old, measured(element)))
    const observer = new ResizeObserver(measure)
    element.addEventListener('scroll', follow, { passive: true })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', follow)
      observer.disconnect()
    }
  }, [scroller])

  return view
}

/** What exists at `scrollTop` of a window `seen` pixels high. */
export function reachAt(scrollTop: number, seen: number): Reach {
  const top = Math.floor(scrollTop / STEP_PX) * STEP_PX
  return {
    top: Math.max(0, top - OVERSCAN_PX),
    bottom: top + STEP_PX + seen + OVERSCAN_PX,
  }
}

function reachOf({ scrollTop, clientHeight }: HTMLElement): Reach {
  return reachAt(scrollTop, clientHeight)
}

function measured(element: HTMLElement): View {
  return { metrics: metricsOf(element), reach: reachOf(element) }
}

/** Reads the lengths that the style sheet gives. */
function metricsOf(element: HTMLElement): Metrics {
  const style = getComputedStyle(element)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const px = (name: string) => {
    const text = style.getPropertyValue(name).trim()
    return Number.parseFloat(text) * (text.endsWith('rem') ? rem : 1)
  }
  return {
    width: element.clientWidth,
    gutter: px('--gutter'),
    rowHeight: px('--row-height'),
    titleHeight: px('--tile-title'),
    folderHeight: px('--tile-folder'),
    tileMin: px('--tile-min'),
    tileGap: px('--tile-gap'),
    caption: px('--tile-caption'),
    pictureRow: px('--gallery-row'),
    pictureGap: px('--gallery-gap'),
  }
}

function withReach(old: View, reach: Reach): View {
  return old.reach.top === reach.top && old.reach.bottom === reach.bottom ? old : { ...old, reach }
}

/** The same objects for the same numbers, so that nothing is laid out again without need. */
function renewed(old: View, next: View): View {
  const { metrics } = old
  const same =
    metrics !== undefined &&
    Object.entries(next.metrics ?? {}).every(([key, value]) => Reflect.get(metrics, key) === value)
  return withReach({ ...old, metrics: same ? metrics : next.metrics }, next.reach)
}
