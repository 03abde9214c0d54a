/** Decides what follows a failed upload request. The rules are in sections 8 and 9 of docs/specification.md. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'

/** The browser can no longer read the file: it was changed, moved or deleted on the device. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** Another user signed in while the upload waited. */
export class UserChangedError extends Error {
  override readonly name = 'UserChangedError'
}

export interface FailureCounts {
  /** The number of failures that count towards the limit of tries. */
  tries: number
  /** The number of requests that got no response because the server was not reachable. */
  disconnects: number
}

export type RetryStep =
  | { do: 'fail' }
  | { do: 'signIn' }
  /** Retry after `ms`; it counts as one of the tries. */
  | { do: 'retry'; ms: number }
  /** Retry after `ms`, without a limit. */
  | { do: 'reconnect'; ms: number }

/** @returns `count` delays in milliseconds: 0, the first delay, then doubled up to the maximum */
export function retryDelays(count: number): number[] {
  return Array.from({ length: count }, (_, index) => delayMs(index))
}

/**
 * Decides what the task does after `error`.
 *
 * @param failures those since the last byte that the server accepted
 * @param delays the delay before each retry, in milliseconds; their number limits the tries
 * @param reachable whether the server responds to other requests, so that only this upload's connection is broken
 */
export function nextStep(
  error: unknown,
  { tries, disconnects }: FailureCounts,
  delays: readonly number[],
  reachable: boolean,
): RetryStep {
  if (isFault(error, 'unauthenticated') && tries <= delays.length) return { do: 'signIn' }
  if (isFault(error, 'unavailable') && !reachable) {
    return { do: 'reconnect', ms: delayMs(disconnects + 1) }
  }
  const ms = delays[tries]
  return ms !== undefined && isTransient(error) ? { do: 'retry', ms } : { do: 'fail' }
}

/** Whether the same request may succeed if it is sent again later. */
function isTransient(error: unknown): boolean {
  return isFault(error, 'unavailable', 'locked', 'internal')
}

/** The delay before the retry with this index, from 0. */
function delayMs(index: number): number {
  if (index === 0) return 0
  return Math.min(UI_LIMITS.retryFirstMs * 2 ** (index - 1), UI_LIMITS.retryCapMs)
}
