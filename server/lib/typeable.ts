/** Random texts that people type: case has no meaning, and letters that look like digits count as these. */

/** Crockford's alphabet for base 32: no i, l, o and u. */
export const SYMBOLS = '0123456789abcdefghjkmnpqrstvwxyz'

export const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' }
