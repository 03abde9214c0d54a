import { type PointerEvent, useRef } from 'react'
import { swipeOf } from '#ui/lib/gestures/swipe.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'

/**
 * Detects swipes across an element, which show the next or previous item.
 *
 * @returns the event handlers of the element
 */
export function useSwipe(onSwipe: (direction: 'previous' | 'next') => void) {
  const start = useRef<{ x: number; y: number }>(null)
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y, target }: PointerEvent) {
      // A drag of a slider, such as the position of a film, is no swipe.
      const isOnSlider = target instanceof Element && target.matches('input[type="range"]')
      start.current = pointerType === 'touch' && isPrimary && !isOnSlider ? { x, y } : null
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      if (!start.current) return
      const movement = { x: clientX - start.current.x, y: clientY - start.current.y }
      start.current = null
      const direction = swipeOf(movement, isRightToLeft())
      if (direction) onSwipe(direction)
    },
  }
}
