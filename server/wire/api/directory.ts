/** Log-in with a directory (LDAP) in the API (docs/api.md 38). */
import type { LoginOutcome, NewAccounts } from './identity.ts'

/**
 * The attribute that identifies an entry. It never changes and is never given to another entry, unlike a name: so no
 * other attribute can be chosen.
 */
export const ENTRY_IDS = ['entryUUID', 'objectGUID', 'nsUniqueId', 'ipaUniqueID', 'GUID'] as const
export type EntryId = (typeof ENTRY_IDS)[number]

/** Where users are in a directory, and what they become. */
export interface DirectoryOptions {
  /** `ldaps://` or `ldap://`, with a host and perhaps a port. */
  address: string
  /** For `ldap://`: without StartTLS, so that passwords are readable on the network. */
  isPlain: boolean
  /** Certificates of authorities as PEM, beside those of the system; empty: only those. */
  ca: string
  /** Who searches; empty: anyone may. */
  bindDN: string
  /** The entry below which users are. */
  base: string
  /** Finds the entry of a user; `{username}` stands for what the user has typed. */
  filter: string
  idAttribute: EntryId
  /** The attribute with the name of a new user. */
  nameAttribute: string
  /** The entry directly below which groups are; empty: groups are not read. */
  groupBase: string
  /** Finds the groups of a user, with `{dn}` and `{username}`; empty: the attribute `memberOf` of the user has them. */
  groupFilter: string
  /** As of a provider: members are administrators, others are not. Empty: the directory does not decide this. */
  adminGroups: string[]
  loginGroups: string[]
  newAccounts: NewAccounts
  accountGroups: string[]
}

export const STANDARD_DIRECTORY: DirectoryOptions = {
  address: '',
  isPlain: false,
  ca: '',
  bindDN: '',
  base: '',
  filter: '(uid={username})',
  idAttribute: 'entryUUID',
  nameAttribute: 'uid',
  groupBase: '',
  groupFilter: '',
  adminGroups: [],
  loginGroups: [],
  newAccounts: 'off',
  accountGroups: [],
}

/** A directory as users see it. */
export interface ShownDirectory {
  id: string
  label: string
}

/** A directory as administrators see it. The password is never part of it. */
export interface LoginDirectory extends ShownDirectory {
  hasPassword: boolean
  isEnabled: boolean
  options: DirectoryOptions
}

/** A directory to add or to change. */
export interface DirectoryChange {
  id: string
  label: string
  /** Of `bindDN`. Absent: the stored one is kept. */
  bindPassword?: string | undefined
  isEnabled: boolean
  options: DirectoryOptions
}

/** What a test uses of a directory that is typed and not saved. */
export type TypedDirectory = Pick<DirectoryChange, 'options' | 'bindPassword'>

/** What a directory says about a user. */
export interface DirectoryTest {
  /** The distinguished name of the entry. */
  dn: string
  /** The attributes that were read. */
  attributes: Record<string, string[]>
  /** Whether the directory accepts the password; undefined without one. */
  isPasswordRight?: boolean | undefined
  outcome: LoginOutcome
}
