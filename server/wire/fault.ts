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

/** Why a fault happened, where a program has to know more than the code. Each has a sentence in `ui/i18n`. */
const FAULT_REASONS = [
  'passwordEmpty',
  'passwordTooShort',
  'passwordTooLong',
  'passwordTooEasy',
  'currentPasswordWrong',
  'usernameInvalid',
  'openSignup',
  'commandNotAllowed',
] as const

export type FaultReason = (typeof FAULT_REASONS)[number]

export interface FaultOptions {
  cause?: unknown
  retryAfterSec?: number
  reason?: FaultReason
  /** The field of the request that is wrong. */
  field?: string
  /** What the sentence of the reason names, such as a length. */
  params?: Readonly<Record<string, number>>
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
  readonly reason: FaultReason | undefined
  readonly field: string | undefined
  readonly params: Readonly<Record<string, number>>

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryAfterSec = options.retryAfterSec
    this.reason = options.reason
    this.field = options.field
    this.params = options.params ?? {}
  }
}

/** Whether `error` is a Fault, and of one of the given codes when any are named. */
export function isFault(error: unknown, ...codes: FaultCode[]): error is Fault {
  return error instanceof Fault && (codes.length === 0 || codes.includes(error.code))
}

/**
 * The value of `X-Fault`: the code, then reason, field and numbers as parameters (RFC 9110 section 5.6.6):
 * `badRequest; reason=passwordTooShort; field=password; length=12`.
 */
export function faultHeader({ code, reason, field, params }: Fault): string {
  const pairs = Object.entries({ reason, field, ...params }).filter(
    ([, value]) => value !== undefined,
  )
  return [code, ...pairs.map(([name, value]) => `${name}=${value}`)].join('; ')
}

/** Reads what `faultHeader` wrote. @returns undefined when there is no code; unknown reasons are left out */
export function readFaultHeader(
  text: string,
): { code: FaultCode; options: Pick<FaultOptions, 'reason' | 'field' | 'params'> } | undefined {
  const [name = '', ...rest] = text.split(';').map((part) => part.trim())
  const code = FAULT_CODES.find((known) => known === name)
  if (!code) return undefined
  const {
    reason: named,
    field,
    ...numbers
  } = Object.fromEntries(rest.map((pair) => pair.split('=')))
  const reason = FAULT_REASONS.find((known) => known === named)
  const params = Object.fromEntries(
    Object.entries(numbers).map(([key, value]) => [key, Number(value)]),
  )
  return { code, options: { ...(reason && { reason }), ...(field && { field }), params } }
}
