/** Computes the changed fields of a user form. Pure. */
import type { User } from '#wire/user.ts'

export type UserField = Exclude<keyof User, 'id'>

/** An administrator confirms changes of these fields with their own password (docs/decisions.md 9). */
const GUARDED: readonly UserField[] = [
  'username',
  'password',
  'scope',
  'lockPassword',
  'perm',
  'commands',
  'rules',
]

/** @returns the fields in which `after` differs, with their new values; an empty password is no change */
export function changesBetween(before: User, after: User): Partial<User> {
  const differs = (field: keyof User) =>
    JSON.stringify(before[field]) !== JSON.stringify(after[field])
  // The keys of a User are its fields.
  const fields = (Object.keys(after) as (keyof User)[]).filter(differs)
  return Object.fromEntries(fields.map((field) => [field, after[field]]))
}

export function isGuarded(changes: Partial<User>): boolean {
  return GUARDED.some((field) => field in changes)
}
