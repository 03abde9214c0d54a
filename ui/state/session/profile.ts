/** The account of the signed-in user. */
import * as api from '#ui/api/accounts/users.ts'
import { withPassword } from './reauth.ts'
import { replacingSession, session } from './session.ts'

/**
 * Sets a new password. All sessions of the user end, and this window gets a new one.
 *
 * @returns true if the password was set; false if the user cancelled, or is not signed in
 * @throws Fault badRequest (too short, too easy), forbidden (the administrator does not allow this user to change it),
 *   tooMany, unavailable
 */
export async function changePassword(password: string): Promise<boolean> {
  const { user } = session
  if (!user) return false
  const currentPassword = await withPassword(
    () => api.check(user.id, { password }),
    (current) => replacingSession(api.save(user.id, { password }, current)),
  )
  return currentPassword !== undefined
}
