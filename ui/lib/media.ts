/** Media queries of the layout's breakpoints. */
import { UI_LIMITS } from './limits.ts'

/** One column. */
export const NARROW = `(width <= ${UI_LIMITS.narrowMaxPx}px)`
/** A finger on glass: nothing hovers, and no keyboard is at hand. */
export const TOUCH = '(hover: none)'
/** Room for the sidebar and the details panel. */
export const WIDE = `(width > ${UI_LIMITS.mediumMaxPx}px)`
