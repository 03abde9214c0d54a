/** Sign-in and session tokens (docs/api.md 2, docs/decisions.md 7). */
import type { User } from './user.ts'

/** The address of every client of the unix socket, in the list of proxies and in the log. */
export const UNIX = 'unix'

export const TOKEN_HEADER = 'X-Auth'
export const RENEW_HEADER = 'X-Renew-Token'
export const FAULT_HEADER = 'X-Fault'
/** How many entries an archive or a copy leaves out because the server may not read them. */
export const LEFT_OUT_HEADER = 'X-Left-Out'
/** The id of the journal entry of the change. */
export const JOURNAL_HEADER = 'X-Journal-Id'
/** The cookie is accepted only for GET and HEAD, so that other sites cannot make changes. */
export const TOKEN_COOKIE = 'auth'
/** The local storage key of the token (docs/specification.md 9). */
export const TOKEN_STORAGE_KEY = 'jwt'

export interface Credentials {
  username: string
  password: string
  recaptcha?: string
}

/** User data in the token, for display only: the server uses only the session id. */
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
  /** The session id. Without its row the token is invalid. */
  sid: string
  /** The version of the user data: the time of the user's last change in milliseconds since 1970. */
  changed?: number
  /** A provider has signed the user in. */
  atProvider?: boolean
  iss: string
  /** Seconds since 1970. */
  iat: number
  /** Seconds since 1970. */
  exp: number
}

/** An active session in the API. */
export interface SessionInfo {
  id: string
  userID: number
  /** Only for administrators who list all sessions. */
  username?: string
  /** Times in RFC 3339. `seen`: the last request. */
  created: string
  seen: string
  expires: string
  address: string
  agent: string
  /** The session of the request itself. */
  current: boolean
}
