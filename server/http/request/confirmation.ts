/** How users confirm sensitive changes of their requests (`recent` in the route table). */
import type { Context } from 'hono'
import type { Confirmation } from '#server/accounts/users/confirmations.ts'
import type { Call, ConfirmedRoute, Env } from '../context/context.ts'
import { jsonBody } from './input.ts'

/**
 * Checks the body of a request and the password in it, before the handler runs. Verifying a password takes time, so the
 * user is read again, and the access to the route is checked again: the handler finds the current user in `auth`.
 *
 * @throws as `jsonBody`, `Confirmations.confirm` and `requireAuth`
 */
export async function requireConfirmation(
  call: Context<Env> & Call,
  { docs }: ConfirmedRoute,
): Promise<void> {
  const { app, auth } = call.var
  const { current_password } = await jsonBody(call, docs.body)
  const confirmation = confirmationOf(call, current_password)
  const user = await app.confirmations.confirm(auth.user, confirmation)
  call.set('auth', { ...auth, user })
  await call.var.recheckAccess?.()
}

/**
 * The user's own password, which confirms a change; `findCurrentUser` reads the user from the database again. A handler calls
 * this only if its route declares that it does so.
 */
export function confirmationOf(call: Call, password: string): Confirmation {
  const { address, app, auth, route } = call.var
  if (route?.needs === 'anyone' || !route?.recent) throw new Error('The route lacks `recent`.')
  return {
    password,
    address,
    session: auth.session,
    findCurrentUser: () => app.sessions.userOf(auth.session.id),
  }
}
