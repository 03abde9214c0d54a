/** Converts Faults to responses. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { STATUS_BY_CODE } from '#server/lib/fault-status.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { Fault, type FaultCode, faultHeader, isFault } from '#wire/fault.ts'

/** Problem details for HTTP APIs (RFC 9457). */
const PROBLEM = 'application/problem+json'

/** Seconds after which the same request may succeed. */
const RETRY_AFTER_SEC: Partial<Record<FaultCode, number>> = {
  tooMany: 30,
  unavailable: 2,
  locked: 5,
}

/** Converts any error to a Fault; unknown errors become `internal`. */
export function asFault(error: unknown): Fault {
  // A body that ended early may appear as the cause of the reader's error.
  const cause = isFault(error, 'internal') ? error.cause : error
  if (cause instanceof Error && cause.name === 'AbortError') {
    return new Fault('aborted', 'The request ended before all of it arrived. Send it again.', {
      cause: error,
    })
  }
  if (error instanceof Fault) return error
  const databaseError = DATABASE.find(([code]) => codeOf(error).startsWith(code))
  if (databaseError) return new Fault(databaseError[1], databaseError[2], { cause: error })
  return new Fault('internal', 'Internal Server Error', { cause: error })
}

/** Faults by the beginning of SQLite's result code (sqlite.org/rescode.html), or of the code of `db/postgres/errors.ts`. */
const DATABASE: [code: string, FaultCode, message: string][] = [
  ['SQLITE_FULL', 'noSpace', 'There is no space left for the database. Nothing was changed.'],
  ['SQLITE_BUSY', 'unavailable', 'The database is busy. Try again in a moment.'],
  ['SQLITE_READONLY', 'readOnly', 'The database can only be read. Nothing was changed.'],
  ['SQLITE_IOERR', 'internal', 'The disk with the database failed.'],
  ['POSTGRES_UNREACHABLE', 'unavailable', 'The database does not answer. Try again in a moment.'],
  [
    'POSTGRES_UNCERTAIN',
    'unavailable',
    'The database did not answer. Look whether the change was made before you try again.',
  ],
  ['POSTGRES_BUSY', 'unavailable', 'The database is busy. Try again in a moment.'],
  ['POSTGRES_FULL', 'noSpace', 'There is no space left for the database. Nothing was changed.'],
  ['POSTGRES_READONLY', 'readOnly', 'The database can only be read. Nothing was changed.'],
  ['POSTGRES_TEXT', 'badRequest', 'A text has a character that the database cannot store.'],
]

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

export function statusOf(code: FaultCode): ContentfulStatusCode {
  return STATUS_BY_CODE[code]
}

/**
 * The response for a fault: text/plain, with code, reason and field in a header (docs/decisions.md 23). A client that
 * accepts `application/problem+json` gets the same as a body (RFC 9457).
 *
 * @param request the refused request
 */
export function faultResponse(fault: Fault, request?: Request): Response {
  const status = STATUS_BY_CODE[fault.code]
  const retryAfterSec = fault.retryAfterSec ?? RETRY_AFTER_SEC[fault.code]
  const asJson = request?.headers.get('accept')?.includes(PROBLEM) === true
  const text = status === 400 ? `400 Bad Request (${fault.message})\n` : `${fault.message}\n`
  return new Response(asJson ? JSON.stringify(problemOf(fault, status)) : text, {
    status,
    headers: {
      'Content-Type': asJson ? PROBLEM : 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      [FAULT_HEADER]: faultHeader(fault),
      ...(retryAfterSec === undefined ? {} : { 'Retry-After': String(retryAfterSec) }),
      ...(endsConnection(fault, request) ? { Connection: 'close' } : {}),
    },
  })
}

/** The members of RFC 9457 section 3.1, and additional ones. */
function problemOf(fault: Fault, status: number) {
  const { code, message: detail, reason, field, disk, item, params } = fault
  return {
    type: 'about:blank',
    status,
    title: code,
    detail,
    code,
    reason,
    field,
    disk,
    item,
    params,
  }
}

/**
 * Whether to close the connection instead of reading the rest of the request (RFC 9110 section 15.5.14). If it is
 * closed while the client sends, the client may lose the response, so a body of moderate length is read and dropped.
 */
function endsConnection({ code }: Fault, request: Request | undefined): boolean {
  if (code === 'aborted') return true
  if (code !== 'tooLarge') return false
  const length = request?.headers.get('content-length') ?? Number.NaN
  return !(Number(length) <= SERVER_LIMITS.refusedBodyReadBytes)
}
