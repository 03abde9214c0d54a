/** Media queries of the layout's breakpoints. */
import { UI_LIMITS } from '../limits.ts'

/** One column. */
export const NARROW = `(width <= ${UI_LIMITS.narrowMaxPx}px)`
/** A touch screen: no hover, and usually no keyboard. */
export const TOUCH = '(hover: none)'
/** Wide enough for the sidebar and the details panel. */
export const WIDE = `(width > ${UI_LIMITS.mediumMaxPx}px)`
