/** Moves and zooms a picture by its pointers: mouse buttons and fingers. */
import { type PointerEvent, useRef } from 'react'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { type Point, type ZoomView, zoomTo } from './zoom.ts'

const DOUBLE_CLICK_SCALE = 2.5
/** Two clicks with a larger distance are no double click. */
const SAME_POINT_PX = 24

/** The gesture that shows the next or previous picture, while this one is not magnified. */
export interface PageTurn {
  follow(movement: Point): void
  release(movement: Point): Promise<void>
  cancel(): void
}

interface ZoomedPicture {
  /** 1 if the picture is not magnified. */
  scale: number
  /** The position of a pointer, from the centre of the viewer. */
  pointOf(event: { clientX: number; clientY: number }): Point
  /** Starts from the latest view: two fingers may move between two renders. */
  move(change: (from: ZoomView) => ZoomView): void
  fitAgain(): void
}

/** @returns handlers for the element that shows the picture */
export function usePointerZoom({ scale, pointOf, move, fitAgain }: ZoomedPicture, turn: PageTurn) {
  /** The last point of each finger or button that is down, by the id of the pointer. */
  const pointers = useRef(new Map<number, Point>())
  const lastClick = useRef({ timeMs: Number.NEGATIVE_INFINITY, x: 0, y: 0 })
  /** How far the pointer has moved since it was pressed. */
  const movement = useRef<Point>({ x: 0, y: 0 })

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: releasePointer }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || isControl(event.target)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, pointOf(event))
    movement.current = { x: 0, y: 0 }
    if (pointers.current.size > 1) turn.cancel()
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
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
      if (scale > 1) move((from) => ({ ...from, x: from.x + dx, y: from.y + dy }))
      else if (event.pointerType === 'touch') turn.follow(movement.current)
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    const wasAlone = pointers.current.size === 1
    if (!pointers.current.delete(event.pointerId) || !wasAlone) return
    const isShort = Math.hypot(movement.current.x, movement.current.y) < SAME_POINT_PX
    if (scale === 1 && event.pointerType === 'touch') void turn.release(movement.current)
    if (isShort) click(event)
  }

  function releasePointer(event: PointerEvent<HTMLElement>): void {
    pointers.current.delete(event.pointerId)
    turn.cancel()
  }

  /** A double click zooms in, or back to the fitted size. */
  function click(event: PointerEvent<HTMLElement>): void {
    const { x, y } = pointOf(event)
    const { timeMs, x: beforeX, y: beforeY } = lastClick.current
    const isSecond =
      event.timeStamp - timeMs < UI_LIMITS.doubleClickMs &&
      Math.hypot(x - beforeX, y - beforeY) < SAME_POINT_PX
    lastClick.current = { timeMs: isSecond ? Number.NEGATIVE_INFINITY : event.timeStamp, x, y }
    if (!isSecond) return
    if (scale > 1) fitAgain()
    else move((from) => zoomTo(from, DOUBLE_CLICK_SCALE, { x, y }))
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
