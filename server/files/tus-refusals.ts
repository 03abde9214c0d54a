/** Refusals of @tus/server: their codes, and in words that people read. */
import { Fault, type FaultCode } from '#wire/fault.ts'
import { isTusError } from './staged-store.ts'

/** What @tus/server says by a status as a Fault. A wrong checksum has a status of its own. */
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

/** What @tus/server says, as people read it. */
const SENTENCES: Record<string, string> = {
  'Upload-Offset header required': 'The request has no Upload-Offset.',
  'Upload-Offset conflict': 'The upload goes on at another offset. A HEAD request tells it.',
  'Content-Type header required': 'Content-Type must be application/offset+octet-stream.',
  'Request aborted due to lock acquired': 'Another request goes on with this upload.',
  'failed to acquire lock before timeout': 'Another request is at work on this upload.',
  'Cannot terminate an already completed upload': 'The upload is complete already.',
  'The file for this url was not found': 'There is no such upload.',
  'The file for this url no longer exists': 'The upload has expired.',
  "upload's size exceeded": 'The request brings more bytes than were announced.',
  'Maximum size exceeded': 'The upload is too large.',
  'Upload-Length or Upload-Defer-Length header required': 'The request has no Upload-Length.',
}

/** An error of @tus/server as its answer. @throws what is none of its own errors */
export function asAnswer(error: unknown): Response {
  if (!isTusError(error)) throw error
  return new Response(error.body, { status: error.status_code })
}

/** Lets an answer pass that refuses nothing. @throws Fault for one that refuses */
export async function withoutRefusal(answer: Response): Promise<Response> {
  const code = REFUSALS[answer.status]
  if (!code) return answer
  const text = (await answer.text()).trim()
  const message = SENTENCES[text] ?? text.replace(/^Invalid (\S+)$/, 'The header $1 is not valid.')
  if (code !== 'internal') throw new Fault(code, message)
  throw new Fault('internal', 'Internal Server Error', { cause: message })
}
