/** Decides what an upload task does after a request failed. The rules are in sections 8 and 9 of docs/specification.md. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'

/** The browser can no longer read the file: it was changed, moved or deleted on the device. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** The file was changed on the device while it was sent. Nothing of it was published. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError'
}

/** The browser cannot list the content of a folder to its end. */
export class UnreadableFolderError extends Error {
  override readonly name = 'UnreadableFolderError'
}

/** After an upload, the server has no file at its path, or another one than the one that was sent. */
export class NotAsSentError extends Error {
  override readonly name = 'NotAsSentError'
}

/** Another user signed in while the upload waited for the connection or for sign-in. */
export class UserChangedError extends Error {
  override readonly name = 'UserChangedError'
}

export interface FailureCounts {
  /** The failures that use up a retry; expired sessions are among them. */
  tries: number
  /** The requests without a response while the server did not respond to other requests either. */
  disconnects: number
}

export type RetryStep =
  | { do: 'fail' }
  /** Wait for sign-in, then retry; this counts as a failure. */
  | { do: 'signIn' }
  /** Retry after `ms`; the failure counts. */
  | { do: 'retry'; ms: number }
  /** Retry after `ms`; the number of these retries is not limited. */
  | { do: 'reconnect'; ms: number }

/** @returns `count` delays in milliseconds: 0, `retryFirstMs`, and then twice the delay before, at most `retryCapMs` */
export function retryDelays(count: number): number[] {
  return Array.from({ length: count }, (_, index) => delayMs(index))
}

/**
 * Decides what the task does after `error`.
 *
 * @param counts the failures since the server last accepted a byte
 * @param delays the delay before each retry, in milliseconds; their number limits the tries
 * @param reachable whether the server responds to another request; only read if `error` is `unavailable`
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
