/** Invitations: links with which users choose the password of their account. */

import * as api from '#ui/api/accounts/invitations.ts'
import * as usersApi from '#ui/api/accounts/users.ts'
import { generatePassword } from '#ui/lib/accounts/generate-password.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { absoluteUrl } from '#ui/lib/urls/share-urls.ts'
import type { Invitation, NewInvitation } from '#wire/api/invitations.ts'
import { INVITE_PAGE } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { ask } from '../dialogs/prompts.ts'
import { hasPassword, withPassword } from '../session/reauth.ts'

export {
  read as showInvitation,
  withdraw as withdrawInvitation,
} from '#ui/api/accounts/invitations.ts'

/** Whether the server has invitations: only if users sign in with a password. */
export function mayInvite(): boolean {
  return hasPassword()
}

/**
 * Lists the invitations that can still be accepted.
 *
 * @throws Fault forbidden, unavailable
 */
export async function listInvitations(): Promise<Invitation[]> {
  return mayInvite() ? api.list() : []
}

/**
 * Creates a user and shows the invitation link, with which the user chooses a password.
 *
 * @returns the id of the new user; undefined if it was cancelled
 * @throws Fault badRequest (name, rules, permissions), usernameTaken, conflict (the home folder belongs to another
 *   user), tooMany (open invitations)
 */
export function inviteNew(user: User): Promise<number | undefined> {
  // The check requires a password, although only the other fields matter: a random one is enough.
  const check = () => usersApi.check(undefined, { ...user, password: generatePassword() })
  return invite(user, check)
}

/**
 * Shows an invitation link with which an existing user chooses a new password.
 *
 * @returns the id of the user; undefined if it was cancelled
 * @throws Fault notFound, tooMany (open invitations)
 */
export function inviteAgain(userId: number): Promise<number | undefined> {
  return invite(userId, async () => undefined)
}

async function invite(
  user: User | number,
  check: () => Promise<void>,
): Promise<number | undefined> {
  let invitation: NewInvitation | undefined
  await withPassword(check, async (password) => {
    invitation = await api.invite(user, password)
  })
  if (!invitation) return undefined
  const { username, expires, token, userID } = invitation
  const url = absoluteUrl(withBase(`${INVITE_PAGE}#${token}`))
  await ask({ name: 'invitation', username, url, expires })
  return userID
}
