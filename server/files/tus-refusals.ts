/** Converts the errors of @tus/server to Faults with plain messages. */
import { Fault, type FaultCode } from '#wire/fault.ts'
import { isTusError } from './staged-store.ts'

/** Fault codes by status of @tus/server. A wrong checksum has a status of its own. */
const REFUSALS: Record<number, FaultCode> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'expired',
  412: 'precondition',
  413: 'tooLarge',
  415: 'unsupported',
  423: 'locked',
  500: 'internal',
  507: 'noSpace',
}

/** Plain messages for those of @tus/server. */
const MESSAGES: Record<string, string> = {
  'Upload-Offset header required': 'The request has no Upload-Offset.',
  'Upload-Offset conflict': 'The upload continues at another offset. A HEAD request returns it.',
  'Content-Type header required': 'Content-Type must be application/offset+octet-stream.',
  'Request aborted due to lock acquired': 'Another request continues this upload.',
  'failed to acquire lock before timeout': 'Another request is writing to this upload.',
  'Cannot terminate an already completed upload': 'The upload is already complete.',
  'The file for this url was not found': 'There is no such upload.',
  'The file for this url no longer exists': 'The upload has expired.',
  "upload's size exceeded": 'The request contains more bytes than were declared.',
  'Maximum size exceeded': 'The upload is too large.',
  'Upload-Length or Upload-Defer-Length header required': 'The request has no Upload-Length.',
}

/**
 * Converts an error of @tus/server to its response.
 *
 * @throws any other error
 */
export function asResponse(error: unknown): Response {
  if (!isTusError(error)) throw error
  return new Response(error.body, { status: error.status_code })
}

/**
 * Returns a response that is not an error.
 *
 * @throws Fault for an error response
 */
export async function throwIfRefused(response: Response): Promise<Response> {
  const code = REFUSALS[response.status]
  if (!code) return response
  const text = (await response.text()).trim()
  const message = MESSAGES[text] ?? text.replace(/^Invalid (\S+)$/, 'The header $1 is not valid.')
  if (code !== 'internal') throw new Fault(code, message)
  throw new Fault('internal', 'Internal Server Error', { cause: message })
}
