/** Public shares in the API (docs/api.md 1.11 and 7). */
import { LIMITS } from '../limits.ts'

export interface Share {
  /** A random id, which the URL of the share contains. */
  hash: string
  /** That of a folder ends with a slash. */
  path: string
  userID: number
  /** Seconds since 1970; 0 means never. */
  expire: number
  hasPassword: boolean
  /**
   * Visits: requests for the share itself, for its page or directly for its download. Requests below it do not count, and
   * neither do downloads from its page or with a range, which continue a visit.
   */
  visits: number
  /** The owner's message to visitors; absent if there is none. */
  message?: string
  /** Whether visitors see the owner's name. */
  showOwner?: boolean
  /** The owner's name, for administrators. */
  username?: string
  /** Why visitors see nothing; absent if they see it. Only in lists. */
  lost?: LostShare
}

/** Nothing has the name of what was shared, or something else has it, which is not shared. */
export const LOST_SHARES = ['missing', 'another'] as const
export type LostShare = (typeof LOST_SHARES)[number]

export interface NewShare {
  password?: string | undefined
  /** A whole number as text; empty or 0 means never. */
  expires?: string | undefined
  unit?: string | undefined
  /** The owner's message to visitors. */
  message?: string | undefined
  /** Whether visitors see the owner's name. */
  showOwner?: boolean | undefined
}

/** The parts of a share that its owner wrote for visitors. */
export interface ShareOwnerInfo {
  sharedBy?: string
  message?: string
}

/** Seconds of each unit; other units count as hours (docs/api.md 1.11). */
export const SHARE_UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
export type ShareUnit = keyof typeof SHARE_UNITS

export const SHARE_PASSWORD_HEADER = 'X-SHARE-PASSWORD'

/**
 * The lifetime of a new share in seconds; 0 means unlimited. An unknown unit counts as hours.
 *
 * @returns undefined if `expires` is not a whole number from 0 to 2147483647 (docs/specification.md 5)
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
