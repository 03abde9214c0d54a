/** Long press on a touch screen (docs/specification.md 9: 500 ms, moving over 10 px cancels it). */
import { UI_LIMITS } from './limits.ts'

interface Point {
  clientX: number
  clientY: number
}

/** @returns three event handlers for one surface; `press` runs while the finger is still down */
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
    /** Whether the current tap was a long press. Reading it resets it. */
    takePressed(): boolean {
      const was = pressed
      pressed = false
      return was
    },
  }
}
