/** What a log-in with a provider does: the same decision for a log-in and for a test. */
import type { StoredIdentity } from '#server/db/rows/identities.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import type { AdminReason, LoginOutcome, ProviderOptions } from '#wire/api/identity.ts'
import type { FaultReason } from '#wire/fault.ts'
import { type Claims, groupsIn, isMember, usernameIn } from './claims.ts'

/** What is stored about the identity of the claims. */
export interface KnownPerson {
  identity: StoredIdentity | undefined
  /** The user of the identity. */
  user: StoredUser | undefined
  /** Whether this user is the only administrator. */
  isLastAdministrator: boolean
}

/** How the groups of a person become an account here, and what its rights are. */
export type LoginRules = Pick<
  ProviderOptions,
  'nameClaim' | 'groupsClaim' | 'adminGroups' | 'loginGroups' | 'newAccounts' | 'accountGroups'
>

export interface LoginDecision extends LoginOutcome {
  refusal: '' | FaultReason
}

/**
 * @param isTaken whether a user has a name
 * @returns the decision; it stores nothing
 */
export async function decideLogin(
  options: LoginRules,
  claims: Claims,
  { identity, user, isLastAdministrator }: KnownPerson,
  isTaken: (username: string) => Promise<boolean>,
): Promise<LoginDecision> {
  const groups = groupsIn(claims, options.groupsClaim)
  // A claim that is absent changes nothing: what it said before still holds.
  const valid = groups ?? identity?.groups
  const username = user?.username ?? usernameIn(claims, options)
  const admin = adminOf(options, { groups, user, isLastAdministrator })
  const refusal = await refusalOf()
  return { username, isNew: !user, ...admin, groups, refusal }

  async function refusalOf(): Promise<LoginDecision['refusal']> {
    const { loginGroups, newAccounts, accountGroups } = options
    if (loginGroups.length > 0 && !isMember(valid, loginGroups)) return 'identityForbidden'
    if (user) return ''
    if (identity) return 'identityRemoved'
    if (newAccounts === 'off') return 'identityUnknown'
    if (newAccounts === 'groups' && !isMember(valid, accountGroups)) return 'identityUnknown'
    if (username === '') return 'identityNameless'
    return (await isTaken(username)) ? 'identityNameTaken' : ''
  }
}

/** Without a user, the present state is that of a new one: no administrator. */
function adminOf(
  { adminGroups }: LoginRules,
  {
    groups,
    user,
    isLastAdministrator,
  }: Pick<KnownPerson, 'user' | 'isLastAdministrator'> & { groups: readonly string[] | undefined },
): { isAdmin: boolean; adminReason: AdminReason } {
  const isAdmin = user?.perm.admin ?? false
  if (adminGroups.length === 0) return { isAdmin, adminReason: 'notChosen' }
  if (groups === undefined) return { isAdmin, adminReason: 'absent' }
  if (isMember(groups, adminGroups)) return { isAdmin: true, adminReason: 'member' }
  if (isLastAdministrator) return { isAdmin: true, adminReason: 'lastAdministrator' }
  return { isAdmin: false, adminReason: 'noMember' }
}
