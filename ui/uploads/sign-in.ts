/** An upload whose session has ended waits for the person to sign in again. */

import { renew } from '#ui/api/session.ts'
import { currentToken } from '#ui/api/token.ts'
import { session } from '#ui/state/session.ts'
import { Fault } from '#wire/fault.ts'
import { pause } from './pause.ts'
import { OtherPerson } from './retry.ts'
import type { UploadTask } from './tasks.ts'

const LOOK_MS = 1000

/**
 * Resolves when there is another token than `refused`, of the same person.
 *
 * @throws OtherPerson, unauthenticated when the person logged out on purpose, aborted
 */
export async function signedInAgain(task: UploadTask, refused: string | null): Promise<void> {
  // A renewal that fails tells the rest of the interface that the session is over.
  if (currentToken() === refused && refused !== null) await renew().catch(() => undefined)
  while (currentToken() === null || currentToken() === refused || !session.user) {
    if (session.endedBy === 'left') throw new Fault('unauthenticated', 'Signed out.')
    await pause(LOOK_MS, task.abort.signal)
  }
  if (session.user.id !== task.userId) throw new OtherPerson()
}
