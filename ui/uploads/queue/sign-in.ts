/** Lets an upload whose session has expired wait until the user signs in again. */

import { renew } from '#ui/api/accounts/session.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { session } from '#ui/state/session/session.ts'
import { Fault } from '#wire/fault.ts'
import { UserChangedError } from '../send/retry.ts'
import { pause } from './pause.ts'
import type { UploadTask } from './tasks.ts'

/**
 * Waits until the task's user has another session token than `refused`.
 *
 * @param refused the session token that the server refused; null if the request had none
 * @throws UserChangedError; Fault unauthenticated (the user signed out), aborted (the upload was cancelled)
 */
export async function waitForSignIn(task: UploadTask, refused: string | null): Promise<void> {
  // A failed renewal ends the session for the whole interface.
  if (currentToken() === refused && refused !== null) await renew().catch(() => undefined)
  while (currentToken() === null || currentToken() === refused || !session.user) {
    if (session.endedBy === 'left') throw new Fault('unauthenticated', 'Signed out.')
    await pause(UI_LIMITS.signInPollMs, task.abort.signal)
  }
  if (session.user.id !== task.userId) throw new UserChangedError()
}
