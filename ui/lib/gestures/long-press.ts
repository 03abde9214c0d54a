/** Long press on a touch screen (docs/specification.md 9: 500 ms, moving over 10 px cancels it). */
import { UI_LIMITS } from '../limits.ts'

interface Point {
  clientX: number
  clientY: number
}

/** @returns the event handlers of one element; `press` is called while the finger is still down */
export function longPress<Target>(press: (target: Target) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let start: Point | undefined
  let pressed = false

  function cancel(): void {
    clearTimeout(timer)
    timer = undefined
    start = undefined
  }

  return {
    down(point: Point, target: Target): void {
      cancel()
      pressed = false
      start = { clientX: point.clientX, clientY: point.clientY }
      timer = setTimeout(() => {
        cancel()
        pressed = true
        press(target)
      }, UI_LIMITS.longPressMs)
    },
    move(point: Point): void {
      if (!start) return
      const moved = Math.hypot(point.clientX - start.clientX, point.clientY - start.clientY)
      if (moved > UI_LIMITS.longPressTolerancePx) cancel()
    },
    cancel,
    /** @returns true if the current tap was a long press; the next call returns false */
    takePressed(): boolean {
      const wasPressed = pressed
      pressed = false
      return wasPressed
    },
  }
}
