import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useDevicePixelRatio } from './use-device-pixel-ratio.ts'
import { type PageTurn, usePointerZoom } from './use-pointer-zoom.ts'
import {
  FITTED,
  fit,
  inCssPixels,
  limit,
  maxScale,
  type PixelSize,
  type Point,
  relativeScale,
  rotated,
  type ZoomView,
  zoomTo,
} from './zoom.ts'

/** The factor of one pixel of a wheel. */
const WHEEL_STEP = 1.0015
const CENTRE = { x: 0, y: 0 }

interface Picture {
  /** The size in its own pixels. */
  size: PixelSize | undefined
  /** Whether the picture is a smaller preview, which may be scaled up. */
  isPreview: boolean
}

/** Moves, zooms and rotates a picture: by wheel, mouse, touch or calls. */
export function useZoom(
  viewer: RefObject<HTMLElement | null>,
  { size, isPreview }: Picture,
  turn: PageTurn,
) {
  const viewerSize = useSizeOf(viewer)
  const [view, setView] = useState<ZoomView>(FITTED)
  /** The rotation in quarter turns. */
  const [quarters, setQuarters] = useState(0)

  const ratio = useDevicePixelRatio()
  const pictureSize = rotated(size ? inCssPixels(size, ratio) : viewerSize, quarters)
  const fitted = fit(pictureSize, viewerSize, isPreview)
  const scaleMax = maxScale(pictureSize, fitted)
  const within = (target: ZoomView) => limit(target, fitted, viewerSize, scaleMax)
  /** The window may have changed since `view` was set. */
  const limited = within(view)
  /** Starts from the latest view: two fingers may move between two renders. */
  const move = (change: (from: ZoomView) => ZoomView) =>
    setView((from) => within(change(within(from))))

  const fitAgain = () => setView(FITTED)
  const handlers = usePointerZoom({ scale: limited.scale, pointOf, move, fitAgain }, turn)

  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    const point = pointOf(event)
    move((from) => zoomTo(from, from.scale * WHEEL_STEP ** -event.deltaY, point))
  }
  useWheel(viewer, onWheel)
  useOwnTouches(viewer)

  return {
    view: limited,
    /** The size of the picture before the rotation. */
    fitted: rotated(fitted, quarters),
    quarters,
    isMagnified: limited.scale > 1,
    /** @returns the scale relative to a picture of this size in its own pixels */
    relativeScale: (own: PixelSize) =>
      relativeScale(fitted, inCssPixels(own, ratio), limited.scale),
    zoomBy: (factor: number) => move((from) => zoomTo(from, from.scale * factor, CENTRE)),
    fitAgain,
    originalSize: () => move((from) => zoomTo(from, pictureSize.width / fitted.width, CENTRE)),
    /** Shows the whole picture as it is stored. */
    reset() {
      setQuarters(0)
      setView(FITTED)
    },
    rotate() {
      setQuarters((before) => (before + 1) % 4)
      setView(FITTED)
    },
    handlers,
  }

  /** The position of a pointer, from the centre of the viewer. */
  function pointOf(event: { clientX: number; clientY: number }): Point {
    const box = viewer.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return {
      x: event.clientX - box.x - box.width / 2,
      y: event.clientY - box.y - box.height / 2,
    }
  }
}

/** The size of an element; zero before it is laid out. */
function useSizeOf(viewer: RefObject<HTMLElement | null>): PixelSize {
  const [size, setSize] = useState<PixelSize>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = viewer.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      setSize({ width, height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [viewer])
  return size
}

function useWheel(viewer: RefObject<HTMLElement | null>, act: (event: WheelEvent) => void): void {
  const onWheel = useEffectEvent(act)
  // React adds passive wheel listeners, which cannot prevent scrolling.
  useEffect(() => {
    const element = viewer.current
    const listener = (event: WheelEvent) => onWheel(event)
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [viewer])
}

/**
 * Tells the browser that the page itself handles every touch. With `touch-action` alone Chromium counts a fast swipe as
 * the begin of a scroll: for about a second the next tap stops that scroll, and presses no button.
 */
function useOwnTouches(viewer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = viewer.current
    const prevent = (event: TouchEvent) => event.preventDefault()
    // React adds passive listeners here, too.
    element?.addEventListener('touchmove', prevent, { passive: false })
    return () => element?.removeEventListener('touchmove', prevent)
  }, [viewer])
}
