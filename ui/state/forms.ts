/** Forms with unsaved changes. */
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

/** A user who is signed out cannot save. */
async function mayLeave(): Promise<boolean> {
  const may = !session.user || (await ask({ name: 'discardChanges' })) === true
  if (may) releaseForm()
  return may
}
