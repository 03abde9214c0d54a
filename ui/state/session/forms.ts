/** Asks before a page with an unsaved form is left. */
import { guardPage } from '../dialogs/navigation-guard.ts'
import { ask } from '../dialogs/prompts.ts'
import { session } from './session.ts'

/** From now on the user is asked before the page is left. */
export function guardForm(): void {
  guardPage(mayLeave)
}

/** From now on the user is no longer asked: the changes are saved or discarded. */
export function releaseForm(): void {
  guardPage(undefined)
}

/** Whether the page may be left. A signed-out user is not asked, because they cannot save. */
async function mayLeave(): Promise<boolean> {
  const isAllowed = !session.user || (await ask({ name: 'discardChanges' })) === true
  if (isAllowed) releaseForm()
  return isAllowed
}
