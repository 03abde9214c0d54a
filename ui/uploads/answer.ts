/** Ends of an upload's request that bring no answer. */
import { NO_CONNECTION } from '#ui/api/request.ts'
import { Fault } from '#wire/fault.ts'

/** No answer at all: the network, or the server, is away. */
export function noAnswer(cause?: unknown): Fault {
  return new Fault('unavailable', NO_CONNECTION, { cause })
}

export function abortedBy(signal: AbortSignal): Fault {
  return new Fault('aborted', 'The upload was aborted.', { cause: signal.reason })
}
