/** Links with which users choose the password of their account (docs/api.md 24). */
import type { Invitation, InvitationShown, NewInvitation } from '#wire/api/invitations.ts'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * @returns the open invitations, which only administrators may list
 * @throws Fault forbidden, methodNotAllowed (the server has no invitations)
 */
export function list(): Promise<Invitation[]> {
  return requestJson<Invitation[]>(API.invitations)
}

/**
 * @param user a new user, or the id of an existing one
 * @param currentPassword of the administrator
 * @throws Fault badRequest (a value is refused, or `currentPassword` is wrong), usernameTaken, conflict (the home folder
 *   belongs to another user), notFound, tooMany (open invitations, or wrong passwords), forbidden
 */
export async function invite(user: User | number, currentPassword: string): Promise<NewInvitation> {
  const fields = typeof user === 'number' ? { userID: user } : { data: { ...user, id: 0 } }
  const response = await request(
    API.invitations,
    asPost({ ...fields, current_password: currentPassword }),
  )
  // The OpenAPI description declares this type.
  return (await response.json()) as NewInvitation
}

/**
 * A user has at most one invitation.
 *
 * @throws Fault notFound, forbidden
 */
export async function withdraw(userId: number): Promise<void> {
  await request(`${API.invitations}/${userId}`, { method: 'DELETE' })
}

/**
 * The token is in the body, so that it appears in no log.
 *
 * @returns the user name, and the length that a password needs
 * @throws Fault notFound, tooMany (guessing), unavailable (too many attempts are waiting)
 */
export async function read(token: string): Promise<InvitationShown> {
  const response = await request(API.invitation, { ...asPost({ token }), anonymous: true })
  // The OpenAPI description declares this type.
  return (await response.json()) as InvitationShown
}

function asPost(body: object) {
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST' as const, body: JSON.stringify(body), headers }
}
