/** The users of identities: what a log-in with one means, and the users that are made and changed by it. */
import type { IdentityRows } from '#server/db/rows/identities.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { caselessText } from '#wire/fold.ts'
import { type Permissions, permissionsOf } from '#wire/permissions.ts'
import { randomHash } from '../sign-in/sign-in-methods.ts'
import type { Provisioning } from '../users/provisioning.ts'
import type { Users } from '../users/users.ts'
import type { Claims } from './claims.ts'
import { decideLogin, type KnownPerson, type LoginDecision, type LoginRules } from './outcome.ts'

interface Deps {
  identities: IdentityRows
  users: Users
  provisioning: Provisioning
}

/** An account at a provider or in a directory. */
export interface Account {
  issuer: string
  subject: string
  /** What people call it: for texts only. */
  label: string
}

export class IdentityUsers {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async known({ issuer, subject }: Pick<Account, 'issuer' | 'subject'>): Promise<KnownPerson> {
    const { identities, users } = this.#deps
    const identity = await identities.find(issuer, subject)
    const user = identity && (await users.find(identity.userId))
    const isLastAdministrator =
      user?.perm.admin === true &&
      !(await users.list()).some(({ id, perm }) => perm.admin && id !== user.id)
    return { identity, user, isLastAdministrator }
  }

  decide(rules: LoginRules, claims: Claims, known: KnownPerson): Promise<LoginDecision> {
    return decideLogin(rules, claims, known, (name) => this.#isTaken(name))
  }

  /** Whether a user has this name, also in upper or lower case: `Ana` at a provider is probably the user `ana`, who links it. */
  async #isTaken(name: string): Promise<boolean> {
    const wanted = caselessText(name)
    const users = await this.#deps.users.list()
    return users.some(({ username }) => caselessText(username) === wanted)
  }

  /**
   * The user of an account with the right of an administrator as decided; or a new user. The groups are stored.
   *
   * @throws Fault forbidden (the name was taken since the decision); as `Provisioning.add`
   */
  async signedIn(
    account: Account,
    { identity, user }: KnownPerson,
    { username, isAdmin, groups }: LoginDecision,
  ): Promise<{ user: StoredUser; identityId: number }> {
    const { identities, users } = this.#deps
    if (user && identity) {
      const isSame = isAdmin === user.perm.admin
      const changed = isSame
        ? user
        : await users.update(user.id, { perm: this.#permissions(isAdmin) })
      await identities.setUsed(identity.id, account.label, groups)
      return { user: changed, identityId: identity.id }
    }
    const made = await this.#make(username, isAdmin)
    try {
      const identityId = await identities.link({
        ...account,
        userId: made.id,
        linkedMs: Date.now(),
      })
      await identities.setUsed(identityId, account.label, groups)
      return { user: made, identityId }
    } catch (error) {
      // Another request has linked it since.
      await users.remove(made.id)
      throw error
    }
  }

  /** Whether a user may get an account. @throws Fault conflict (it has another user), tooMany */
  async requireLinkable(
    { issuer, subject }: Pick<Account, 'issuer' | 'subject'>,
    userId: number,
  ): Promise<void> {
    const { identities } = this.#deps
    if (((await identities.find(issuer, subject))?.userId ?? 0) !== 0) {
      throw new Fault('conflict', 'This account at the provider is linked with a user already.', {
        reason: 'identityTaken',
      })
    }
    if ((await identities.listOf(userId)).length >= SERVER_LIMITS.identitiesOfUserMax) {
      throw new Fault('tooMany', 'Too many accounts at providers are linked with this user.')
    }
  }

  /** @throws as `requireLinkable` */
  async link(account: Account, userId: number): Promise<void> {
    const { identities } = this.#deps
    await identities.atomically(async () => {
      await this.requireLinkable(account, userId)
      await identities.link({ ...account, userId, linkedMs: Date.now() })
    })
  }

  /** A new user has a password that is not known: only an administrator can set one. */
  async #make(username: string, isAdmin: boolean): Promise<StoredUser> {
    const changes = { lockPassword: true, perm: this.#permissions(isAdmin) }
    try {
      const hash = await randomHash()
      return await this.#deps.provisioning.add(username, hash, changes, { requireEmptyHome: true })
    } catch (error) {
      if (isFault(error, 'usernameTaken')) throw identityRefused({ refusal: 'identityNameTaken' })
      throw error
    }
  }

  /** A user who is no administrator any more gets the rights of a new one: before, all rights were on. */
  #permissions(isAdmin: boolean): Permissions {
    const { perm } = this.#deps.users.defaults()
    return isAdmin ? permissionsOf('admin') : { ...perm, admin: false, execute: false }
  }
}

export function identityRefused({ refusal }: Pick<LoginDecision, 'refusal'>): Fault {
  const options = refusal === '' ? {} : { reason: refusal }
  return new Fault('forbidden', 'No account here belongs to this account at the provider.', options)
}
