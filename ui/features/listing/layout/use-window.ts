import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { LayoutMetrics } from './layout.ts'

/** The distance beyond the viewport that is rendered too, so that fast scrolling shows no gap. Pixels. */
const OVERSCAN_PX = 480
/** The scroll distance that causes a new render, in pixels. */
const STEP_PX = 200

/** The rendered range, in pixels of the body. */
export interface RenderRange {
  top: number
  bottom: number
}

export interface ScrollWindow {
  /** Undefined before the first measurement. */
  metrics: LayoutMetrics | undefined
  /** The part of the body whose rows are rendered. */
  range: RenderRange
}

const UNMEASURED: ScrollWindow = { metrics: undefined, range: { top: 0, bottom: 0 } }

/**
 * Measures the lengths in the style sheet and the viewport of `scroller`, and follows its scroll position, so that only
 * entries near the viewport are rendered.
 *
 * @param density a change causes a new measurement
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, density: string): ScrollWindow {
  const [view, setView] = useState(UNMEASURED)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a density has its own lengths
  useLayoutEffect(() => {
    const element = scroller.current
    if (element) setView((old) => withMetrics(old, measured(element)))
  }, [scroller, density])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const follow = () => setView((old) => withRange(old, renderRangeOf(element)))
    const measure = () => setView((old) => withMetrics(old, measured(element)))
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

/** The range to render at `scrollTop` in a viewport of `viewportHeight` pixels. */
export function renderRangeAt(scrollTop: number, viewportHeight: number): RenderRange {
  const top = Math.floor(scrollTop / STEP_PX) * STEP_PX
  return {
    top: Math.max(0, top - OVERSCAN_PX),
    bottom: top + STEP_PX + viewportHeight + OVERSCAN_PX,
  }
}

function renderRangeOf({ scrollTop, clientHeight }: HTMLElement): RenderRange {
  return renderRangeAt(scrollTop, clientHeight)
}

function measured(element: HTMLElement): ScrollWindow {
  return { metrics: metricsOf(element), range: renderRangeOf(element) }
}

/** Reads the lengths from the style sheet. */
function metricsOf(element: HTMLElement): LayoutMetrics {
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

function withRange(old: ScrollWindow, range: RenderRange): ScrollWindow {
  return old.range.top === range.top && old.range.bottom === range.bottom ? old : { ...old, range }
}

/** Keeps objects whose numbers are unchanged, so that no layout is computed again without need. */
function withMetrics(old: ScrollWindow, next: ScrollWindow): ScrollWindow {
  const { metrics } = old
  const isSame =
    metrics !== undefined &&
    Object.entries(next.metrics ?? {}).every(([key, value]) => Reflect.get(metrics, key) === value)
  return withRange({ ...old, metrics: isSame ? metrics : next.metrics }, next.range)
}
