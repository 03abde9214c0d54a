/** Invitations: a link by which a user chooses the password of an account, once (docs/api.md 24). */
import { z } from 'zod'

/** An invitation that can still be accepted. */
export const invitationShape = z.object({
  userID: z.number(),
  username: z.string(),
  expires: z.number().meta({ description: 'seconds since 1970' }),
})

export const newInvitationShape = invitationShape.extend({
  token: z.string().meta({ description: 'returned only once' }),
})

/** The data for the holder of the link. */
export const invitationShownShape = z.object({
  username: z.string(),
  minimumPasswordLength: z.number(),
})

export type Invitation = z.infer<typeof invitationShape>
export type NewInvitation = z.infer<typeof newInvitationShape>
export type InvitationShown = z.infer<typeof invitationShownShape>
