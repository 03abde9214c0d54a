/** Which changes of a user need a password. Pure. */
import type { User } from '#wire/api/user.ts'

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

export function isGuarded(changes: Partial<User>): boolean {
  return GUARDED.some((field) => field in changes)
}
