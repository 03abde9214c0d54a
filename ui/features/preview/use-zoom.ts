import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { useDevicePixelRatio } from './use-device-pixel-ratio.ts'
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
const DOUBLE_CLICK_SCALE = 2.5
const CENTRE = { x: 0, y: 0 }
/** Two clicks with a larger distance are no double click. */
const SAME_POINT_PX = 24

interface Picture {
  /** The size in its own pixels. */
  size: PixelSize | undefined
  /** Whether the picture is a smaller preview, which may be scaled up. */
  isPreview: boolean
}

/** The gesture that shows the next or previous picture, while this one is not magnified. */
interface PageTurn {
  follow(movement: Point): void
  release(movement: Point): Promise<void>
  cancel(): void
}

/** Moves, zooms and rotates a picture: by wheel, mouse, touch or calls. */
export function useZoom(
  viewer: RefObject<HTMLElement | null>,
  { size, isPreview }: Picture,
  turn: PageTurn,
) {
  const [viewerSize, setViewerSize] = useState<PixelSize>({ width: 0, height: 0 })
  const [view, setView] = useState<ZoomView>(FITTED)
  /** The rotation in quarter turns. */
  const [quarters, setQuarters] = useState(0)
  /** The last point of each finger or button that is down, by the id of the pointer. */
  const pointers = useRef(new Map<number, Point>())
  const lastClick = useRef({ timeMs: Number.NEGATIVE_INFINITY, x: 0, y: 0 })
  /** How far the pointer has moved since it was pressed. */
  const movement = useRef<Point>({ x: 0, y: 0 })

  useLayoutEffect(() => {
    const element = viewer.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      setViewerSize({ width, height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [viewer])

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

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const point = pointOf(event)
    move((from) => zoomTo(from, from.scale * WHEEL_STEP ** -event.deltaY, point))
  })
  // React adds passive wheel listeners, which cannot prevent scrolling.
  useEffect(() => {
    const element = viewer.current
    const listener = (event: WheelEvent) => onWheel(event)
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [viewer])

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
    fitAgain: () => setView(FITTED),
    originalSize: () => move((from) => zoomTo(from, pictureSize.width / fitted.width, CENTRE)),
    rotate() {
      setQuarters((before) => (before + 1) % 4)
      setView(FITTED)
    },
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: releasePointer },
  }

  function onPointerDown(event: React.PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || isControl(event.target)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, pointOf(event))
    movement.current = { x: 0, y: 0 }
    if (pointers.current.size > 1) turn.cancel()
  }

  function onPointerMove(event: React.PointerEvent<HTMLElement>): void {
    const oldPoint = pointers.current.get(event.pointerId)
    if (!oldPoint) return
    const newPoint = pointOf(event)
    const others = [...pointers.current].filter(([id]) => id !== event.pointerId)
    pointers.current.set(event.pointerId, newPoint)
    const [other] = others.map(([, point]) => point)
    if (other) move((from) => pinch(from, other, oldPoint, newPoint))
    else {
      const [dx, dy] = [newPoint.x - oldPoint.x, newPoint.y - oldPoint.y]
      movement.current = { x: movement.current.x + dx, y: movement.current.y + dy }
      if (limited.scale > 1) move((from) => ({ ...from, x: from.x + dx, y: from.y + dy }))
      else if (event.pointerType === 'touch') turn.follow(movement.current)
    }
  }

  function onPointerUp(event: React.PointerEvent<HTMLElement>): void {
    const wasAlone = pointers.current.size === 1
    if (!pointers.current.delete(event.pointerId) || !wasAlone) return
    const isShort = Math.hypot(movement.current.x, movement.current.y) < SAME_POINT_PX
    if (limited.scale === 1 && event.pointerType === 'touch') void turn.release(movement.current)
    if (isShort) click(event)
  }

  function releasePointer(event: React.PointerEvent<HTMLElement>): void {
    pointers.current.delete(event.pointerId)
    turn.cancel()
  }

  /** A double click zooms in, or back to the fitted size. */
  function click(event: React.PointerEvent<HTMLElement>): void {
    const { x, y } = pointOf(event)
    const { timeMs, x: beforeX, y: beforeY } = lastClick.current
    const isSecond =
      event.timeStamp - timeMs < UI_LIMITS.doubleClickMs &&
      Math.hypot(x - beforeX, y - beforeY) < SAME_POINT_PX
    lastClick.current = { timeMs: isSecond ? Number.NEGATIVE_INFINITY : event.timeStamp, x, y }
    if (!isSecond) return
    if (limited.scale > 1) setView(FITTED)
    else move((from) => zoomTo(from, DOUBLE_CLICK_SCALE, { x, y }))
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

/**
 * Pinch: the picture scales with the distance of two fingers and moves with their centre.
 *
 * @param other the point of the finger that does not move
 */
function pinch(view: ZoomView, other: Point, from: Point, to: Point): ZoomView {
  const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) || 1
  const middle = { x: (other.x + to.x) / 2, y: (other.y + to.y) / 2 }
  const factor = distance(other, to) / distance(other, from)
  const zoomed = zoomTo(view, view.scale * factor, middle)
  return {
    ...zoomed,
    x: zoomed.x + (to.x - from.x) / 2,
    y: zoomed.y + (to.y - from.y) / 2,
  }
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a') !== null
}
