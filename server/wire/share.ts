/** Public links as they travel (docs/api.md 1.11 and 7). */
import { LIMITS } from './limits.ts'

export interface Share {
  hash: string
  /** A folder's ends with a slash. */
  path: string
  userID: number
  /** Seconds since 1970; 0 is for ever. */
  expire: number
  hasPassword: boolean
  /** How often it was opened: its page, or its download address by itself. */
  visits: number
  /** The owner's name, for administrators. */
  username?: string
}

export interface NewShare {
  password?: string | undefined
  /** A whole number as text; empty or 0 is for ever. */
  expires?: string | undefined
  unit?: string | undefined
}

/** Seconds of each unit; anything else counts as hours (docs/api.md 1.11). */
export const SHARE_UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
export type ShareUnit = keyof typeof SHARE_UNITS

export const SHARE_PASSWORD_HEADER = 'X-SHARE-PASSWORD'

/**
 * How long a new link lives, in seconds; 0 is for ever.
 *
 * @returns undefined when `expires` is no whole number from 0 to 2147483647 (docs/specification.md 5)
 */
export function shareLifetimeSec(expires: string, unit: string): number | undefined {
  if (expires.trim() === '') return 0
  if (!/^\d{1,10}$/.test(expires.trim())) return undefined
  const amount = Number(expires)
  if (amount > LIMITS.shareDurationMax) return undefined
  return (
    amount * (Object.hasOwn(SHARE_UNITS, unit) ? SHARE_UNITS[unit as ShareUnit] : SHARE_UNITS.hours)
  )
}
