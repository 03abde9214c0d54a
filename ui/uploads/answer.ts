/** An answer that an upload did not want, as the house's one error. */

import { NO_CONNECTION } from '#ui/api/request.ts'
import { Fault, type FaultCode, isFaultCode } from '#wire/fault.ts'
import { FAULT_HEADER } from '#wire/session.ts'

/** What both XMLHttpRequest and tus-js-client know of an answer. */
export interface Answer {
  status: number
  header(name: string): string | null | undefined
  body: string
}

/** The server names its fault in a header; the status speaks for a proxy in front of it. */
export function faultOf({ status, header, body }: Answer): Fault {
  const named = header(FAULT_HEADER)
  const code = isFaultCode(named)
    ? named
    : (CODES[status] ?? (status < 500 ? 'badRequest' : 'internal'))
  return new Fault(code, body.trim() || `Upload failed: ${status}`)
}

/** No answer at all: the network, or the server, is away. */
export function noAnswer(cause?: unknown): Fault {
  return new Fault('unavailable', NO_CONNECTION, { cause })
}

export function abortedBy(signal: AbortSignal): Fault {
  return new Fault('aborted', 'The upload was aborted.', { cause: signal.reason })
}

const CODES: Partial<Record<number, FaultCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  413: 'tooLarge',
  423: 'locked',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  507: 'noSpace',
}
