/** Converts an error response to a Fault. */
import { Fault, type FaultCode, readFaultHeader } from '#wire/fault.ts'
import { FAULT_HEADER } from '#wire/session.ts'

/** The common part of responses of fetch, XMLHttpRequest and tus-js-client. */
export interface ErrorResponse {
  status: number
  statusText?: string
  header(name: string): string | null | undefined
  body: string
}

/**
 * The fault of an error response. The server sends its code in a header; for a response of a proxy the status decides.
 * The message is the body, or else the status (docs/specification.md 8).
 */
export function faultOf({ status, statusText = '', header, body }: ErrorResponse): Fault {
  const named = readFaultHeader(header(FAULT_HEADER) ?? '')
  const code = named?.code ?? CODE_BY_STATUS[status] ?? 'internal'
  const retryAfterSec = Number(header('Retry-After') ?? Number.NaN)
  return new Fault(code, body.trim() || `${status} ${statusText}`.trim(), {
    ...named?.options,
    ...(Number.isFinite(retryAfterSec) && { retryAfterSec }),
  })
}

const CODE_BY_STATUS: Partial<Record<number, FaultCode>> = {
  400: 'badRequest',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  409: 'conflict',
  410: 'expired',
  412: 'precondition',
  413: 'tooLarge',
  415: 'unsupported',
  423: 'locked',
  429: 'tooMany',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  507: 'noSpace',
}
