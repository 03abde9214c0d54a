/** Invitations: a link by which a user chooses the password of an account, once (docs/api.md 24). */

/** The page of an invitation. The token is in the fragment, which is not sent to servers or logs. */
export const INVITE_PAGE = '/invite'

/** An invitation that can still be accepted. Its token is returned only once, at its creation. */
export interface Invitation {
  userID: number
  username: string
  /** Seconds since 1970. */
  expires: number
}

export interface NewInvitation extends Invitation {
  token: string
}

/** The data for the holder of the link. */
export interface InvitationShown {
  username: string
  minimumPasswordLength: number
}
