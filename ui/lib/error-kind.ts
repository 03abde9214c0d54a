/** Chooses the error panel for a failure (docs/specification.md 8): no response, 403, what the server may not read, 404, a link that leads nowhere, and all other failures. */
import type { Fault } from '#wire/fault.ts'

export type ErrorKind =
  | 'notFound'
  | 'brokenLink'
  | 'forbidden'
  | 'unreadable'
  | 'linkOutside'
  | 'internal'
  | 'connection'

/** The fault of a failed page, as far as its panel depends on it. */
export type ShownFault = Pick<Fault, 'code'> & Partial<Pick<Fault, 'message' | 'status' | 'reason'>>

export function errorKindOf({ code, message, reason }: ShownFault): ErrorKind {
  // With a sentence, the server itself has responded, not a proxy in front of it.
  const isFromServer = !!message && reason !== 'noConnection'
  if (code === 'unavailable') return isFromServer ? 'internal' : 'connection'
  if (reason === 'linkTargetMissing') return 'brokenLink'
  if (code === 'outside') return 'linkOutside'
  if (reason === 'systemDenies') return 'unreadable'
  if (code === 'forbidden') return 'forbidden'
  return MISSING.includes(code) ? 'notFound' : 'internal'
}

/** The codes that are shown as a path that does not exist. */
const MISSING: readonly Fault['code'][] = ['notFound', 'badRequest', 'notDirectory', 'expired']

/** The statuses that the panels name. */
const STATUS_OF_KIND: Record<ErrorKind, number> = {
  notFound: 404,
  brokenLink: 404,
  forbidden: 403,
  unreadable: 403,
  linkOutside: 403,
  internal: 500,
  connection: 0,
}

/** @returns the status to show in place of the one that the panel names; undefined if it is that one, or none is known */
export function otherStatus(kind: ErrorKind, status: number | undefined): string | undefined {
  return status === undefined || status === STATUS_OF_KIND[kind] ? undefined : String(status)
}
