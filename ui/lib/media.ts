/** Media queries of the layout's breakpoints. */
import { UI_LIMITS } from './limits.ts'

/** One column. */
export const NARROW = `(width <= ${UI_LIMITS.narrowMaxPx}px)`
/** A finger on glass: nothing hovers, and no keyboard is at hand. */
export const TOUCH = '(hover: none)'
/** Room for words beside the icons of a selection. */
export const LABELLED = `(width >= ${UI_LIMITS.labelledMinPx}px)`
/** Room for the sidebar and the details panel. */
export const WIDE = `(width > ${UI_LIMITS.mediumMaxPx}px)`
