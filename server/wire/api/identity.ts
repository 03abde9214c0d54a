/** Log-in with OpenID Connect providers in the API (docs/api.md 36). */

/** Which accounts a provider makes: none, those of members of certain groups, or one for each person. */
export const NEW_ACCOUNTS = ['off', 'groups', 'all'] as const
export type NewAccounts = (typeof NEW_ACCOUNTS)[number]

/** How the claims of a provider become users. */
export interface ProviderOptions {
  /** Separated by spaces; `openid` is always requested. */
  scopes: string
  /** The claim with the name of a new user. */
  nameClaim: string
  /** The path of the claim with the groups, such as `groups` or `realm_access.roles`; empty: none is read. */
  groupsClaim: string
  /** Members of these groups are administrators, others are not. Empty: the provider does not decide this. */
  adminGroups: string[]
  /** Only members of these groups may log in. Empty: all may. */
  loginGroups: string[]
  newAccounts: NewAccounts
  /** For `newAccounts` `groups`. */
  accountGroups: string[]
  /** Whether the login page opens the provider by itself. */
  redirects: boolean
  /** Whether a log-out here is one at the provider too. */
  logsOut: boolean
}

export const STANDARD_OPTIONS: ProviderOptions = {
  scopes: 'openid profile email',
  nameClaim: 'preferred_username',
  groupsClaim: 'groups',
  adminGroups: [],
  loginGroups: [],
  newAccounts: 'off',
  accountGroups: [],
  redirects: false,
  logsOut: false,
}

/** A provider as the login page shows it. */
export interface ShownProvider {
  id: string
  label: string
}

/** What anyone may know. */
export interface LoginProviders {
  providers: ShownProvider[]
  /** The provider that the login page opens by itself; empty: none. */
  redirectsTo: string
}

/** A provider as administrators see it. The client secret is never part of it. */
export interface Provider extends ShownProvider {
  issuer: string
  clientID: string
  hasSecret: boolean
  isEnabled: boolean
  options: ProviderOptions
  /** The addresses to enter at the provider; empty without a public address of the installation. */
  redirectAddress: string
  logoutAddress: string
  backchannelAddress: string
}

/** A provider to add or to change. */
export interface ProviderChange {
  id: string
  label: string
  issuer: string
  clientID: string
  /** Absent: the stored one is kept. */
  clientSecret?: string | undefined
  isEnabled: boolean
  options: ProviderOptions
}

/** What a provider says about itself. */
export interface Discovered {
  issuer: string
  authorization: string
  token: string
  userInfo: string
  endSession: string
  scopes: string[]
  claims: string[]
  hasBackchannel: boolean
  /** Whether it says that it supports PKCE with S256. */
  hasPkce: boolean
  /** Whether its responses name it (RFC 9207). */
  namesIssuer: boolean
}

/** A log-in that has begun: the browser opens the address. */
export interface BegunFlow {
  address: string
}

/** Why a user would be an administrator, or not. `absent`: the claim is missing, and nothing changes. */
export const ADMIN_REASONS = [
  'member',
  'noMember',
  'absent',
  'notChosen',
  'lastAdministrator',
] as const
export type AdminReason = (typeof ADMIN_REASONS)[number]

/** What a log-in would do. */
export interface LoginOutcome {
  /** The user; for a refusal the name that the provider sent. */
  username: string
  /** Whether the account would be made. */
  isNew: boolean
  isAdmin: boolean
  adminReason: AdminReason
  /** Undefined: the claim is missing. */
  groups?: string[] | undefined
  /** Why the log-in would be refused, as a reason of a fault; empty if it would succeed. */
  refusal: string
}

export interface ProviderTest {
  provider: string
  /** The claims of the ID token and of the user info, as JSON. */
  claims: Record<string, unknown>
  outcome: LoginOutcome
}

/** An account at a provider that the user logs in with. */
export interface LinkedIdentity {
  id: number
  issuer: string
  /** The label of the provider; the issuer if it was removed. */
  provider: string
  /** The name at the provider. */
  label: string
  /** RFC 3339. */
  linked: string
  /** RFC 3339; empty for never. */
  used: string
}

/** The header of a response to a log-out: the address for the log-out at the provider. */
export const LOGOUT_HEADER = 'X-Log-Out-At'
