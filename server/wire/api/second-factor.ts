/** One-time codes as a second factor of the sign-in (docs/api.md 35). */

/** The second factor of the user who asks. */
export interface SecondFactor {
  /** Since when a code is asked for, in RFC 3339; empty: none is. */
  since: string
  /** How many recovery codes are left. */
  recoveryCodes: number
}

/** A secret that is not in use until a code of it was sent. */
export interface SecondFactorDraft {
  /** Base 32, to be typed into an authenticator app. */
  secret: string
  /** The same for a QR code: an `otpauth` address. */
  uri: string
}

export interface RecoveryCodes {
  /** Returned only once, at their creation. Each replaces a one-time code once. */
  codes: string[]
}

/** For administrators: a user who signs in with a second factor. */
export interface SecondFactorUser {
  userID: number
  since: string
}

/** The response to a right password if a code is needed too (401). */
export interface CodeNeeded {
  /** Stands for the password, for a few minutes. */
  ticket: string
}
