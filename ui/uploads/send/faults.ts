/** Faults of uploads whose request has no response. */
import { noConnection } from '#ui/api/client/fault-of.ts'
import { Fault } from '#wire/fault.ts'

/** The network or the server is unreachable. */
export function noResponse(cause?: unknown): Fault {
  return noConnection(cause)
}

export function abortedBy(signal: AbortSignal): Fault {
  return new Fault('aborted', 'The upload was aborted.', { cause: signal.reason })
}
