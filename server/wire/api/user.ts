/** Users in the API (docs/api.md 4), without the password hash. */

import type { Permissions } from '../permissions.ts'
import type { Sorting } from './entry.ts'

export const VIEW_MODES = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof VIEW_MODES)[number]

/** Allows or denies paths of a scope; the last matching rule decides (docs/decisions.md 5). */
export interface Rule {
  regex: boolean
  allow: boolean
  /** For a path rule: this path and everything below it. */
  path: string
  regexp: { raw: string } | null
}

/** Fields that users may change themselves. */
export interface Preferences {
  locale: string
  viewMode: ViewMode
  singleClick: boolean
  redirectAfterCopyMove: boolean
  hideDotfiles: boolean
  /** True shows exact dates, false relative ones. */
  dateFormat: boolean
  sorting: Sorting
  aceEditorTheme: string
}

export interface User extends Preferences {
  id: number
  username: string
  /** Always empty in responses. */
  password: string
  /** The folder below the served root that this user sees as the root. */
  scope: string
  lockPassword: boolean
  perm: Permissions
  /** Programs this user may run, by exact name. */
  commands: string[]
  rules: Rule[]
}

/** A user in the list for administrators. */
export interface ListedUser extends User {
  /** RFC 3339; empty for never. */
  lastSignIn: string
}

/** @returns only the preferences among a user's fields */
export function preferencesOf(user: Preferences): Preferences {
  return {
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    sorting: { by: user.sorting.by, asc: user.sorting.asc },
    aceEditorTheme: user.aceEditorTheme,
  }
}
