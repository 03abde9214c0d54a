import { type ErrorKind, otherStatus } from '#ui/lib/error-kind.ts'
import { t } from './i18n.ts'

/** @returns the small line below an error: its status; undefined without a connection, which has none */
export function errorCodeOf(kind: ErrorKind, status: number | undefined): string | undefined {
  const other = otherStatus(kind, status)
  return other ?? (kind === 'connection' ? undefined : t(CODES[kind]))
}

const CODES = {
  notFound: 'errors.notFound.code',
  brokenLink: 'errors.notFound.code',
  forbidden: 'errors.forbidden.code',
  unreadable: 'errors.forbidden.code',
  linkOutside: 'errors.forbidden.code',
  internal: 'errors.internal.code',
} as const
