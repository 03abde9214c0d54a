/** What to do when an upload fails: pure, from the specification's sections 8 and 9. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'

/** The browser can no longer read the file: it was changed, moved or deleted on the device. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Someone else signed in while the upload waited. */
export class OtherPerson extends Error {
  override readonly name = 'OtherPerson'
}

export interface Failures {
  /** Answers that may be different next time. */
  tries: number
  /** Times without any answer. */
  losses: number
}

export type Step =
  | { do: 'fail' }
  | { do: 'signIn' }
  /** Try again after `ms`; it counts as one of the tries. */
  | { do: 'retry'; ms: number }
  /** Try again after `ms`, and as often as it takes. */
  | { do: 'reconnect'; ms: number }

/** `count` waits in milliseconds: 0, 1000, and from there doubling to the cap. */
export function retryDelays(count: number): number[] {
  return Array.from({ length: count }, (_, at) => delayMs(at))
}

/**
 * What follows `error`, after `failures` in a row that brought nothing forward.
 *
 * `reachable`: the server answers other calls, so a connection that broke is this upload's own.
 */
export function nextStep(
  error: unknown,
  { tries, losses }: Failures,
  delays: readonly number[],
  reachable: boolean,
): Step {
  if (isFault(error, 'unauthenticated') && tries <= delays.length) return { do: 'signIn' }
  if (isFault(error, 'unavailable') && !reachable) {
    return { do: 'reconnect', ms: delayMs(losses + 1) }
  }
  const ms = delays[tries]
  return ms !== undefined && isPassing(error) ? { do: 'retry', ms } : { do: 'fail' }
}

/** Whether the same request may succeed a little later. */
function isPassing(error: unknown): boolean {
  return isFault(error, 'unavailable', 'locked', 'internal')
}

function delayMs(at: number): number {
  if (at === 0) return 0
  return Math.min(UI_LIMITS.uploadRetryFirstMs * 2 ** (at - 1), UI_LIMITS.uploadRetryCapMs)
}
