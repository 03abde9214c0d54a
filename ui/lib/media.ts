/** Media queries of the layout's breakpoints. */
import { LIMITS } from '#wire/limits.ts'

/** One column. */
export const NARROW = `(width <= ${LIMITS.narrowMaxPx}px)`
/** A finger on glass: nothing hovers, and no keyboard is at hand. */
export const TOUCH = '(hover: none)'
/** Room for the sidebar and the details panel. */
export const WIDE = `(width > ${LIMITS.mediumMaxPx}px)`
