/** Passkeys (docs/api.md 37). */

export interface Passkey {
  /** The credential id, in base64url. */
  id: string
  name: string
  /** The host that it belongs to: it can be used at no other one. */
  host: string
  /** Whether it is on more than one device. */
  isSynced: boolean
  /** RFC 3339. */
  created: string
  /** The last use, in RFC 3339; empty if there was none. */
  used: string
}

export interface PasskeyList {
  /**
   * The origin of the page at which passkeys are made and used; `http://localhost` stands for all its ports. Empty: the
   * public address has no name or no https.
   */
  origin: string
  passkeys: Passkey[]
}

export interface NewPasskey {
  passkey: Passkey
  /** Recovery codes, which only this response contains; none if the user had a second factor before. */
  codes: string[]
}
