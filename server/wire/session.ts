/** Signing in, and the token that names a session (docs/api.md 2, docs/decisions.md 7). */
import type { User } from './user.ts'

/** In the operator's list of proxies, and in the log: whoever reaches the unix socket. */
export const UNIX = 'unix'

export const TOKEN_HEADER = 'X-Auth'
export const RENEW_HEADER = 'X-Renew-Token'
export const FAULT_HEADER = 'X-Fault'
/** The cookie counts for GET and HEAD only, so no other site can change anything with it. */
export const TOKEN_COOKIE = 'auth'
/** Where the browser keeps the token (docs/specification.md 9). */
export const TOKEN_STORAGE_KEY = 'jwt'

export interface Credentials {
  username: string
  password: string
  recaptcha?: string
}

/** What the token says of its owner. Display data for the client: the server reads only the session. */
export type TokenUser = Pick<
  User,
  | 'id'
  | 'username'
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'perm'
  | 'commands'
  | 'lockPassword'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'sorting'
  | 'aceEditorTheme'
>

export interface TokenClaims {
  user: TokenUser
  /** Names the session row. No row, no entry. */
  sid: string
  /** When the person's record was last changed, in milliseconds since 1970, as this token knows it. */
  changed?: number
  iss: string
  /** Seconds since 1970. */
  iat: number
  /** Seconds since 1970. */
  exp: number
}

/** A session as its owner sees it: where somebody is signed in, and since when. */
export interface SessionInfo {
  id: string
  userID: number
  /** For administrators who look at everybody's. */
  username?: string
  /** RFC 3339. */
  created: string
  seen: string
  expires: string
  address: string
  agent: string
  /** The one that asks. */
  current: boolean
}
