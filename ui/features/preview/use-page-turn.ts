import { type RefObject, useRef, useState } from 'react'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { swipeOf } from '#ui/lib/gestures/swipe.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import type { Point } from './zoom.ts'

/** The space between two pictures, in pixels. */
export const GAP_PX = 16
/** The fraction of the finger's movement that a picture follows if no other one is beside it. */
const RESISTANCE = 0.3
/** The picture follows movements from this distance in pixels on: shorter ones may begin another gesture. */
const BEGIN_PX = 8

/** Whether there is another file on each side of the picture. */
interface Sides {
  left: boolean
  right: boolean
}

/**
 * Turning to the next or previous picture by touch: the strip of pictures follows the finger.
 *
 * @param strip contains the picture, and its neighbours while `isTurning`
 */
export function usePageTurn(strip: RefObject<HTMLElement | null>, sides: Sides) {
  const [isTurning, setTurning] = useState(false)
  const offset = useRef(0)

  return { isTurning, follow, release, cancel: () => void settle(0) }

  /** @param movement the movement of the finger since it touched the screen */
  function follow({ x, y }: Point): void {
    if (!isTurning && (Math.abs(x) < BEGIN_PX || Math.abs(x) < Math.abs(y))) return
    setTurning(true)
    offset.current = hasNeighbour(x) ? x : x * RESISTANCE
    if (strip.current) strip.current.style.translate = `${offset.current}px`
  }

  /** The finger leaves the screen: the strip moves on to the next picture, or back. */
  async function release(movement: Point): Promise<void> {
    const direction = swipeOf(movement, isRightToLeft())
    if (!direction || !hasNeighbour(movement.x)) return settle(0)
    const width = (strip.current?.clientWidth ?? 0) + GAP_PX
    const to = movement.x < 0 ? -width : width
    await slide(to)
    // Another gesture has moved the strip since.
    if (offset.current !== to) return
    // The neighbour stays in its place until the viewer of the next file replaces this one.
    await perform(actionOf(direction))
  }

  function hasNeighbour(x: number): boolean {
    return x < 0 ? sides.right : sides.left
  }

  async function settle(to: number): Promise<void> {
    if (offset.current !== to) await slide(to)
    if (offset.current === to) setTurning(false)
  }

  async function slide(to: number): Promise<void> {
    const from = offset.current
    offset.current = to
    if (!strip.current) return
    strip.current.style.translate = `${to}px`
    const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    const steps = [{ translate: `${from}px` }, { translate: `${to}px` }]
    const timing = {
      duration: isMotionReduced ? 0 : ON_DEMAND_LIMITS.pageTurnMs,
      easing: 'ease-out',
    }
    await strip.current.animate(steps, timing).finished.catch(() => undefined)
  }
}
