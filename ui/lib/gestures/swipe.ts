/** Swipe gestures. */

/** A shorter movement is no swipe, in pixels. */
const SWIPE_PX = 48

/** The direction in which a swipe turns the page, which is opposite to the movement; undefined if it is no swipe. */
export function swipeOf(
  movement: { x: number; y: number },
  isRightToLeft: boolean,
): 'previous' | 'next' | undefined {
  if (Math.abs(movement.x) < SWIPE_PX || Math.abs(movement.x) < 2 * Math.abs(movement.y))
    return undefined
  return movement.x < 0 === isRightToLeft ? 'previous' : 'next'
}
