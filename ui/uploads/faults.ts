/** Faults of uploads whose request has no response. */
import { NO_CONNECTION } from '#ui/api/request.ts'
import { Fault } from '#wire/fault.ts'

/** The network or the server is unreachable. */
export function noResponse(cause?: unknown): Fault {
  return new Fault('unavailable', NO_CONNECTION, { cause })
}

export function abortedBy(signal: AbortSignal): Fault {
  return new Fault('aborted', 'The upload was aborted.', { cause: signal.reason })
}
