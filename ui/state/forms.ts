/** Asks before a page with an unsaved form is left. */
import { guardPage } from './navigation-guard.ts'
import { ask } from './prompts.ts'
import { session } from './session.ts'

/** Asks before the page is left, from now on. */
export function guardForm(): void {
  guardPage(mayLeave)
}

/** Stops asking: the changes are saved or discarded. */
export function releaseForm(): void {
  guardPage(undefined)
}

/** Whether the page may be left. A signed-out user is not asked, because they cannot save. */
async function mayLeave(): Promise<boolean> {
  const may = !session.user || (await ask({ name: 'discardChanges' })) === true
  if (may) releaseForm()
  return may
}
