/** Swipe gestures. */

/** A shorter movement is no swipe, in pixels. */
const SWIPE_PX = 48

/** The direction in which a swipe turns the page, which is opposite to the movement; undefined if it is no swipe. */
export function swipeOf(
  way: { x: number; y: number },
  rightToLeft: boolean,
): 'previous' | 'next' | undefined {
  if (Math.abs(way.x) < SWIPE_PX || Math.abs(way.x) < 2 * Math.abs(way.y)) return undefined
  return way.x < 0 === rightToLeft ? 'previous' : 'next'
}
