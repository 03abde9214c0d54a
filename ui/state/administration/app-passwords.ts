/** App passwords: what programs and scripts sign in with. */
import * as api from '#ui/api/accounts/app-passwords.ts'
import type { AppPassword, NewAppPassword } from '#wire/api/app-passwords.ts'
import { isFault } from '#wire/fault.ts'
import { ask } from '../dialogs/prompts.ts'
import { confirmed } from '../session/reauth.ts'

/**
 * @returns one's own app passwords, or those of all users, the newest first
 * @throws Fault forbidden
 */
export function listAppPasswords(owner: 'mine' | 'all'): Promise<AppPassword[]> {
  return api.list(owner === 'all')
}

/**
 * Makes an app password, after the user has confirmed it with the own password.
 *
 * @returns undefined if it was cancelled
 * @throws as `api.create`
 */
export function createAppPassword(
  fields: api.AppPasswordRequest,
): Promise<NewAppPassword | undefined> {
  return confirmed((password) => api.create(fields, password))
}

/** @throws Fault notFound if it was removed */
export async function pauseAppPassword({ id, paused }: AppPassword): Promise<void> {
  await api.setPaused(id, !paused)
}

/** Removes an app password. One that was removed already is no error. */
export async function removeAppPassword({ id }: AppPassword): Promise<void> {
  await api.remove(id).catch((error: unknown) => {
    if (!isFault(error, 'notFound')) throw error
  })
}

/**
 * Removes all of one's own app passwords, after a question.
 *
 * @param isOffer whether it is offered after a change of the password, which ends no app password
 * @returns whether they were removed
 */
export async function removeAllAppPasswords(
  appPasswords: readonly AppPassword[],
  isOffer: boolean,
): Promise<boolean> {
  if (!(await ask({ name: 'removeAppPasswords', appPasswords, isOffer }))) return false
  await api.removeAll()
  return true
}
