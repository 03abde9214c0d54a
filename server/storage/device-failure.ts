/** The errors of a thread's tasks as messages. Functions and classes do not survive a message. */
import { errnoOf, SystemError, syscallOf } from '#server/os/errno.ts'
import { Fault, type FaultCode, type FaultReason } from '#wire/fault.ts'

export interface DeviceFailure {
  message: string
  /** Of a Fault. */
  fault?: { code: FaultCode; reason?: FaultReason | undefined }
  /** Of a system error. */
  system?: { code: string; call: string }
}

export function taskFailureOf(error: unknown): DeviceFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Fault) return { message, fault: { code: error.code, reason: error.reason } }
  const code = errnoOf(error)
  return code === undefined
    ? { message }
    : { message, system: { code, call: syscallOf(error) ?? '' } }
}

/** @returns the error that the task threw */
export function errorOf({ message, fault, system }: DeviceFailure): Error {
  if (fault) return new Fault(fault.code, message, fault.reason ? { reason: fault.reason } : {})
  return system ? new SystemError(system.call, system.code) : new Error(message)
}
