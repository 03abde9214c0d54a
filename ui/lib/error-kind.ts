/** Chooses the error panel for a failure (docs/specification.md 8): no response, 403, 404, and all other failures. */
import type { Fault } from '#wire/fault.ts'

export type ErrorKind = 'notFound' | 'forbidden' | 'internal' | 'connection'

export function errorKindOf({ code }: Pick<Fault, 'code'>): ErrorKind {
  if (code === 'unavailable') return 'connection'
  if (code === 'forbidden' || code === 'outside') return 'forbidden'
  return MISSING.includes(code) ? 'notFound' : 'internal'
}

/** The codes that are shown as a path that does not exist. */
const MISSING: readonly Fault['code'][] = ['notFound', 'badRequest', 'notDirectory', 'expired']
