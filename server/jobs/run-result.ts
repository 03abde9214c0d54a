/** How a run of a job ends, and which faults end it. */
import type { Failure } from '#server/db/rows/job-rows.ts'
import { Fault, faultHeader, isFault } from '#wire/fault.ts'

export interface RunResult {
  state: 'done' | 'paused' | 'failed' | 'cancelled' | 'interrupted' | 'waiting'
  /** Why the job failed or paused. */
  failure: Failure
}

/** Faults that every further item would meet too. */
export function endsJob(fault: Fault): boolean {
  return isFault(fault, 'unauthenticated', 'noSpace', 'readOnly', 'unavailable')
}

/** A job pauses if an administrator can remove the cause, such as a full disk; otherwise it fails. */
export function endOf(error: unknown): RunResult {
  const isTemporary = isFault(error, 'noSpace', 'readOnly', 'unavailable')
  return { state: isTemporary ? 'paused' : 'failed', failure: failureOf(faultOf(error)) }
}

/** @returns the error, or an internal fault for an unexpected one */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('internal', 'The server failed. Its log says why.')
}

/** @returns the fault as it is stored */
export function failureOf(fault: Fault): Failure {
  return { fault: faultHeader(fault), reason: fault.message }
}
