/** Forms with changes that nobody has saved yet. */
import { guardPage } from './navigation-guard.ts'
import { ask } from './prompts.ts'
import { session } from './session.ts'

/** From now on leaving the page asks whether the changes may be lost. */
export function guardForm(): void {
  guardPage(mayLeave)
}

/** The changes are saved, or given up. */
export function releaseForm(): void {
  guardPage(undefined)
}

/** Whoever is no longer signed in has nothing to save here. */
async function mayLeave(): Promise<boolean> {
  const may = !session.user || (await ask({ name: 'discardChanges' })) === true
  if (may) releaseForm()
  return may
}
