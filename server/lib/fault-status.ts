/** The HTTP status of each fault (docs/api.md 21). */
import type { FaultCode } from '#wire/fault.ts'

export const STATUS_BY_CODE = {
  badRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  outside: 403,
  wrongCredentials: 403,
  readOnly: 403,
  notFound: 404,
  expired: 404,
  methodNotAllowed: 405,
  conflict: 409,
  usernameTaken: 409,
  notDirectory: 409,
  isDirectory: 409,
  precondition: 412,
  tooLarge: 413,
  unsupported: 415,
  rangeUnsatisfiable: 416,
  unprocessable: 422,
  locked: 423,
  tooMany: 429,
  // The client has left, or its body did not arrive completely (RFC 9110 section 15.5.9).
  aborted: 408,
  internal: 500,
  unavailable: 503,
  noSpace: 507,
} as const satisfies Record<FaultCode, number>
