/** Media queries of the layout's breakpoints. */
import { UI_LIMITS } from '../limits.ts'

const media = new Map<string, MediaQueryList>()

/** The media query; the same object each time, because components ask for it with every render. */
export function mediaOf(query: string): MediaQueryList {
  const known = media.get(query) ?? matchMedia(query)
  media.set(query, known)
  return known
}

/** One column. */
export const NARROW = `(width <= ${UI_LIMITS.narrowMaxPx}px)`
/** A touch screen: no hover, and usually no keyboard. */
export const TOUCH = '(hover: none)'
/** Wide enough for the sidebar and the details panel. */
export const WIDE = `(width > ${UI_LIMITS.mediumMaxPx}px)`
