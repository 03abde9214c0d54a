/**
 * The most that a request may do for a user, whatever rights the user has. A session has no ceiling, in whatever way it was
 * opened. An app password and a share have one; `policy` allows what both the rights and the ceiling allow.
 */
import { type Permissions, permissionsOf } from '#wire/permissions.ts'

export interface Ceiling {
  by: 'appPassword' | 'share'
  permissions: Permissions
}

/** A visitor of a share reads, under the rights and rules of its owner. */
export const SHARE_CEILING: Ceiling = { by: 'share', permissions: permissionsOf('download') }

/** @param permissions of the app password; it is never used to administer or to run commands */
export function appPasswordCeiling(permissions: Permissions): Ceiling {
  return { by: 'appPassword', permissions: { ...permissions, admin: false, execute: false } }
}
