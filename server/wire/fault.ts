/**
 * The one error type.
 *
 * Any module may throw a Fault. Storage makes them from errno, `http/faults.ts` turns a code into a
 * status, `cli/exit.ts` into an exit code, `ui/i18n` into a sentence.
 */
export const FAULT_CODES = [
  'badRequest',
  'unauthenticated',
  'forbidden',
  /** A symbolic link leads out of the actor's folder, or in a circle. */
  'outside',
  'wrongCredentials',
  'notFound',
  'expired',
  'methodNotAllowed',
  'conflict',
  'usernameTaken',
  'notDirectory',
  'isDirectory',
  'precondition',
  'tooLarge',
  'unsupported',
  'rangeUnsatisfiable',
  'unprocessable',
  'locked',
  'tooMany',
  'noSpace',
  'readOnly',
  'unavailable',
  'aborted',
  'internal',
] as const

export type FaultCode = (typeof FAULT_CODES)[number]

export interface FaultOptions {
  cause?: unknown
  retryAfterSec?: number
}

/**
 * A failure with a code that every module understands.
 *
 * `message` is a sentence for the person who asked: it may name what they named, and never holds a
 * path of the server, a hash or a stack. Whatever only the operator may read travels in `cause`.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  /** When the same request may succeed, for faults that pass. */
  readonly retryAfterSec: number | undefined

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryAfterSec = options.retryAfterSec
  }
}

/** Whether `error` is a Fault, and of one of the given codes when any are named. */
export function isFault(error: unknown, ...codes: FaultCode[]): error is Fault {
  return error instanceof Fault && (codes.length === 0 || codes.includes(error.code))
}

/** Whether a text, such as a header's value, is a fault code. */
export function isFaultCode(text: string | null | undefined): text is FaultCode {
  return FAULT_CODES.some((code) => code === text)
}
