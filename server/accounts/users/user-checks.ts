/** Validation of user names and user data. */
import type { NewUser } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { checkRules } from '#wire/api/rules.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { normalPermissions } from '#wire/permissions.ts'

/**
 * Invisible characters, and characters that change the direction of text: with them two names could look alike. The
 * blank Braille pattern (U+2800) is invisible too, but Unicode counts it as a symbol.
 */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * @returns the name without surrounding spaces
 * @throws Fault badRequest for an invalid name
 */
function checkUsername(text: string): string {
  const username = text.trim()
  const max = SERVER_LIMITS.usernameMax
  if (username === '' || username.length > max || INVISIBLE.test(username)) {
    throw new Fault(
      'badRequest',
      `A user name must have 1 to ${max} characters, none of them invisible.`,
      {
        reason: 'usernameInvalid',
        field: 'username',
        params: { max },
      },
    )
  }
  return username
}

/** @throws Fault badRequest for invalid user data */
export function checkUser<T extends NewUser>(user: T): T {
  checkRules(user.rules)
  return normalizeUser(user)
}

/**
 * @returns the user as it is stored
 * @throws Fault badRequest
 */
export function normalizeUser<T extends NewUser>(user: T): T {
  const username = checkUsername(user.username)
  const perm = normalPermissions(user.perm)
  if (perm.share && !perm.download) {
    throw new Fault('badRequest', 'The permission to share requires the permission to download.')
  }
  return {
    ...user,
    username,
    perm,
    scope: parsePath(user.scope),
    lockPassword: user.lockPassword && !perm.admin,
  }
}

/** A new user with the default values. */
export function newUser({ defaults }: Pick<GlobalSettings, 'defaults'>) {
  return { ...defaults, username: '', passwordHash: '', lockPassword: false, rules: [] }
}
