/** Second factors of the sign-in: one-time codes (docs/api.md 35) and passkeys (37). */

/** The second factor of the user who asks. */
export interface SecondFactor {
  /** Since when an authenticator app gives codes, in RFC 3339; empty: none does. */
  since: string
  /** How many recovery codes are left. */
  recoveryCodes: number
  /** The hosts that passkeys of the user belong to; empty without passkeys. */
  passkeyHosts: string[]
  /** From when the user must have a second factor, in RFC 3339; empty: never. */
  requiredFrom: string
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
  passkeys: number
}

/** The response to a right password if a code is needed too (401). */
export interface CodeNeeded {
  /** Stands for the password, for a few minutes. */
  ticket: string
  /** Whether an authenticator app gives codes. */
  app: boolean
  /** The hosts that passkeys of the user belong to. */
  passkeyHosts: readonly string[]
}
