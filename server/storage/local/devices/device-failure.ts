/** The errors of a thread's tasks as messages. Functions and classes do not survive a message. */
import { errnoOf, SystemError, syscallOf } from '#server/os/errno.ts'
import { describeCauses, Fault, type FaultCode, type FaultReason } from '#wire/fault.ts'

export interface DeviceFailure {
  message: string
  /** Of a Fault. */
  fault?: {
    code: FaultCode
    reason?: FaultReason | undefined
    errno?: string | undefined
    retryAfterSec?: number | undefined
    /** For the log. */
    cause?: string | undefined
  }
  /** Of a system error. */
  system?: { code: string; call: string }
}

export function taskFailureOf(error: unknown): DeviceFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Fault) {
    const { code, reason, errno, retryAfterSec, cause } = error
    const causes = cause === undefined ? undefined : describeCauses(cause)
    return { message, fault: { code, reason, errno, retryAfterSec, cause: causes } }
  }
  const code = errnoOf(error)
  return code === undefined
    ? { message }
    : { message, system: { code, call: syscallOf(error) ?? '' } }
}

/** @returns the error that the task threw */
export function errorOf({ message, fault, system }: DeviceFailure): Error {
  if (fault) {
    const { code, reason, errno, retryAfterSec, cause } = fault
    return new Fault(code, message, {
      ...(reason && { reason }),
      ...(errno && { errno }),
      ...(retryAfterSec && { retryAfterSec }),
      ...(cause && { cause: new Error(cause) }),
    })
  }
  return system ? new SystemError(system.call, system.code) : new Error(message)
}
