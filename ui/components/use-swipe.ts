import { type PointerEvent, useRef } from 'react'
import { isRightToLeft } from '#ui/lib/direction.ts'
import { swipeOf } from '#ui/lib/swipe.ts'

/**
 * Swiping across an element turns to the next or previous page.
 *
 * @returns the element's event handlers
 */
export function useSwipe(onSwipe: (direction: 'previous' | 'next') => void) {
  const from = useRef<{ x: number; y: number }>(null)
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) {
      from.current = pointerType === 'touch' && isPrimary ? { x, y } : null
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      if (!from.current) return
      const movement = { x: clientX - from.current.x, y: clientY - from.current.y }
      from.current = null
      const direction = swipeOf(movement, isRightToLeft())
      if (direction) onSwipe(direction)
    },
  }
}
