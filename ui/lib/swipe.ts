/** A finger's way across a page. */

/** Shorter ways are none, in pixels. */
const SWIPE_PX = 48

/** What a finger's way means: a page turned, against the direction it moved; undefined for neither. */
export function swipeOf(
  way: { x: number; y: number },
  rightToLeft: boolean,
): 'previous' | 'next' | undefined {
  if (Math.abs(way.x) < SWIPE_PX || Math.abs(way.x) < 2 * Math.abs(way.y)) return undefined
  return way.x < 0 === rightToLeft ? 'previous' : 'next'
}
