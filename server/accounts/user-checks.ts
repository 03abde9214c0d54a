/** What somebody may be called, and what a user may be. */
import type { StoredUser } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath } from '#wire/paths.ts'
import { normalPermissions } from '#wire/permissions.ts'
import { checkRules } from '#wire/rules.ts'
import type { GlobalSettings } from '#wire/settings.ts'

/** @returns the name without blanks around it @throws Fault badRequest for what nobody may be called */
function checkUsername(text: string): string {
  const username = text.trim()
  const max = LIMITS.usernameMax
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
  if (username === '' || username.length > max || /[\u0000-\u001f\u007f]/.test(username)) {
    throw new Fault(
      'badRequest',
      `A user name has 1 to ${max} characters, none of them invisible.`,
      {
        reason: 'usernameInvalid',
        field: 'username',
        params: { max },
      },
    )
  }
  return username
}

/** @throws Fault badRequest for what no user may be */
export function checked<T extends Omit<StoredUser, 'id' | 'changedMs'>>(user: T): T {
  checkRules(user.rules)
  return normal(user)
}

/** As it is stored. @throws Fault badRequest */
export function normal<T extends Omit<StoredUser, 'id' | 'changedMs'>>(user: T): T {
  const username = checkUsername(user.username)
  const perm = normalPermissions(user.perm)
  if (perm.share && !perm.download) {
    throw new Fault('badRequest', 'permission to share requires permission to download')
  }
  return {
    ...user,
    username,
    perm,
    scope: parsePath(user.scope),
    lockPassword: user.lockPassword && !perm.admin,
  }
}

/** Somebody of whom nothing has been said. */
export function newUser({ defaults }: Pick<GlobalSettings, 'defaults'>) {
  return { ...defaults, username: '', passwordHash: '', lockPassword: false, rules: [] }
}
