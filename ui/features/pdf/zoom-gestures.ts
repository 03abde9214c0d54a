/** Zoom with two fingers, and with Ctrl and the wheel, which is also the gesture of a touchpad. */
import type { ZoomOrigin } from './pdf-view.ts'

type ZoomBy = (factor: number, origin: ZoomOrigin) => void

/** The factor of one pixel of the wheel. */
const WHEEL_SPEED = 0.005
/** A larger step of the wheel counts as this many pixels, so that one notch of a mouse does not zoom too far. */
const WHEEL_MAX_PX = 50

/**
 * Calls `zoomBy` for each gesture on the element.
 *
 * @returns a function that removes the listeners
 */
export function listenToZoom(element: HTMLElement, zoomBy: ZoomBy): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, passive: false }
  /** The last distance of two fingers, in pixels; 0 while there are not two. */
  let distance = 0

  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const moved = Math.max(-WHEEL_MAX_PX, Math.min(WHEEL_MAX_PX, event.deltaY))
    zoomBy(Math.exp(-moved * WHEEL_SPEED), [event.clientX, event.clientY])
  }

  function onTouch(event: TouchEvent): void {
    const [first, second] = event.touches
    if (!first || !second) {
      distance = 0
      return
    }
    event.preventDefault()
    const [x, y] = [second.clientX - first.clientX, second.clientY - first.clientY]
    const newDistance = Math.hypot(x, y)
    if (distance > 0 && newDistance > 0) {
      zoomBy(newDistance / distance, [first.clientX + x / 2, first.clientY + y / 2])
    }
    distance = newDistance
  }

  element.addEventListener('wheel', onWheel, options)
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
    element.addEventListener(type, onTouch, options)
  }
  return () => listening.abort()
}
