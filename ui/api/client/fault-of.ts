/** Converts an error response to a Fault. */

import { FAULT_HEADER } from '#wire/api/session.ts'
import { Fault, type FaultCode, readFaultHeader } from '#wire/fault.ts'

/** The common part of responses of fetch, XMLHttpRequest and tus-js-client. */
export interface ErrorResponse {
  status: number
  header(name: string): string | null | undefined
  body: string
}

/**
 * The fault of an error response (docs/specification.md 8). The server sends its code in a header, and its sentence in
 * the body. A response without this header is of a proxy: the status decides, and the fault has no message, because the
 * body may be a page.
 */
export function faultOf({ status, header, body }: ErrorResponse): Fault {
  const named = readFaultHeader(header(FAULT_HEADER) ?? '')
  const code = named?.code ?? CODE_BY_STATUS[status] ?? 'internal'
  const retryAfterSec = Number(header('Retry-After') ?? Number.NaN)
  return new Fault(code, named ? sentenceIn(body) : '', {
    ...named?.options,
    status,
    ...(Number.isFinite(retryAfterSec) && { retryAfterSec }),
  })
}

/** The network or the server is unreachable. */
export function noConnection(cause?: unknown): Fault {
  return new Fault('unavailable', 'There was no response.', { reason: 'noConnection', cause })
}

/** The sentence of a body, without the status that clients of File Browser expect around it (docs/decisions.md 23). */
function sentenceIn(body: string): string {
  return /^\d{3} [\w ]+ \(([\s\S]+)\)$/.exec(body.trim())?.[1] ?? body.trim()
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
