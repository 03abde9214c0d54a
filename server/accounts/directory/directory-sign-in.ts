/** Log-in with a directory: by the form for name and password, after the passwords of this server. */
import type { StoredDirectory } from '#server/db/rows/directories.ts'
import type { IdentityRows } from '#server/db/rows/identities.ts'
import type { StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import type { DirectoryTest, ShownDirectory, TypedDirectory } from '#wire/api/directory.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { Sessions } from '../credentials/sessions.ts'
import { type Account, type IdentityUsers, identityRefused } from '../identity/identity-users.ts'
import type { LoginRules } from '../identity/outcome.ts'
import type { Directories } from './directories.ts'
import { issuerOf } from './directories.ts'
import { type DirectoryPerson, findPerson, seekInVain } from './directory-people.ts'
import { fold } from './distinguished-names.ts'

/** A renewal waits for so long for a directory that does not respond. */
const RENEWAL_WITHIN_MS = 3000
/** A person is looked for again after this time, however often a client renews its token. */
const LOOK_AGAIN_MS = 60_000

/** The claims of a person, by these names. */
const CLAIMS = { nameClaim: 'username', groupsClaim: 'groups' }

interface Deps {
  directories: Directories
  identities: IdentityRows
  identityUsers: IdentityUsers
  sessions: Sessions
}

export interface DirectoryCredentials {
  username: string
  password: string
}

/** A user of a directory, with the right password. */
export interface DirectoryUser {
  user: StoredUser
  identityId: number
}

export class DirectorySignIn {
  readonly #deps: Deps
  readonly #isUsable: boolean
  /** Key: an identity; value: when its person was last looked for. */
  readonly #lookedMs = new Map<number, number>()

  /** @param isUsable whether this server uses its own passwords: directories exist only beside them */
  constructor(deps: Deps, isUsable: boolean) {
    this.#deps = deps
    this.#isUsable = isUsable
  }

  /** Those that users can link an account of. */
  async shown(): Promise<ShownDirectory[]> {
    return this.#isUsable ? await this.#deps.directories.shown() : []
  }

  /**
   * Finds the user of a name and a password. The first directory with an entry of this name decides. After a failure, all
   * directories have been asked the same, so that the time does not tell which names they have.
   *
   * @returns undefined if no directory has the name, or the password is wrong
   * @throws Fault unavailable (with a reason that begins with `directory`; or too many wait); forbidden with a reason that
   *   begins with `identity` (the password is right, and there is no account here); as `Provisioning.add`
   */
  async find({ username, password }: DirectoryCredentials): Promise<DirectoryUser | undefined> {
    // Directories accept an empty password as a log-in of anyone.
    if (!this.#isUsable || password === '' || username.trim() === '') return undefined
    let isDecided = false
    for (const directory of await this.#deps.directories.enabled()) {
      if (isDecided) {
        await seekInVain(directory, { username }, password)
        continue
      }
      const found = await orUndefined(findPerson(directory, { username }, password))
      if (found?.isPasswordRight) return this.#userOf(directory, found.person)
      isDecided = found !== undefined
    }
    return undefined
  }

  /** Whether a password is that of a user in a directory. @throws as `find`, except forbidden */
  async isPasswordOf(userId: number, password: string): Promise<boolean> {
    if (!this.#isUsable || password === '') return false
    for (const { issuer, subject } of await this.#deps.identities.listOf(userId)) {
      const directory = await this.#deps.directories.findByIssuer(issuer)
      if (!directory?.isEnabled) continue
      const found = await orUndefined(findPerson(directory, { id: subject }, password))
      if (found?.isPasswordRight) return true
    }
    return false
  }

  /** Whether a user logs in with a directory that is in use. */
  async isOf(userId: number): Promise<boolean> {
    if (!this.#isUsable) return false
    for (const { issuer } of await this.#deps.identities.listOf(userId)) {
      if (await this.#deps.directories.isInUse(issuer)) return true
    }
    return false
  }

  /** Whether an identity still is of a directory that is in use. */
  async isUsed(identityId: number): Promise<boolean> {
    const identity = await this.#deps.identities.findById(identityId)
    return identity !== undefined && (await this.#deps.directories.isInUse(identity.issuer))
  }

  /**
   * Links an entry with a user, whose own password was confirmed.
   *
   * @throws Fault badRequest (name or password in the directory), conflict, tooMany, notFound; as `find`
   */
  async link(user: StoredUser, id: string, credentials: DirectoryCredentials): Promise<void> {
    const { directories, identityUsers } = this.#deps
    const directory = await directories.getEnabled(id)
    const { username, password } = credentials
    const found = await orUndefined(findPerson(directory, { username }, password))
    if (!found?.isPasswordRight) {
      throw new Fault('wrongCredentials', 'The name or the password in the directory is wrong.')
    }
    const account = accountOf(directory, found.person)
    const { refusal } = await this.#decide(directory, found.person)
    if (refusal === 'identityForbidden') throw identityRefused({ refusal })
    await identityUsers.requireLinkable(account, user.id)
    await identityUsers.link(account, user.id)
  }

  /**
   * Shows what a log-in would do, and does nothing.
   *
   * @param typed the directory as it is typed in a form; undefined: as it is stored
   * @throws Fault as `findPerson`, `Directories.typed` and `Directories.get`
   */
  async test(
    id: string,
    { username, password }: DirectoryCredentials,
    typed?: TypedDirectory,
  ): Promise<DirectoryTest> {
    const { directories } = this.#deps
    const directory = typed ? await directories.typed(id, typed) : await directories.get(id)
    const checked = password === '' ? undefined : password
    const { person, isPasswordRight } = await findPerson(directory, { username }, checked)
    const { dn, attributes } = person
    const outcome = await this.#decide(directory, person)
    return { dn, attributes, outcome, ...(checked !== undefined && { isPasswordRight }) }
  }

  /**
   * Looks for the person of a session again, at most once a minute. If the directory does not have the person any more, or
   * the person may not log in any more, all sessions that it opened for the person end. Without a response nothing changes.
   *
   * @throws Fault unauthenticated
   */
  async requireStillThere({ identity: used }: StoredSession): Promise<void> {
    const { directories, identities, identityUsers, sessions } = this.#deps
    const identity = used && (await identities.findById(used.id))
    const directory = identity && (await directories.findByIssuer(identity.issuer))
    if (!directory || Date.now() - (this.#lookedMs.get(identity.id) ?? 0) < LOOK_AGAIN_MS) return
    const sought = { id: identity.subject }
    const asked = findPerson(directory, sought, undefined, RENEWAL_WITHIN_MS)
    const person = await asked.then(
      (found) => found.person,
      (error) => (isMissing(error) ? undefined : 'unknown'),
    )
    if (person === 'unknown') return
    const account = person && accountOf(directory, person)
    const known = account && (await identityUsers.known(account))
    const decision = person && (await this.#decide(directory, person))
    if (account && known?.user && decision?.refusal === '') {
      await identityUsers.signedIn(account, known, decision)
      this.#lookedMs.set(identity.id, Date.now())
      return
    }
    this.#lookedMs.delete(identity.id)
    await sessions.endByIdentity(identity.id)
    throw new Fault('unauthenticated', 'The directory does not have your account any more.')
  }

  async #userOf(directory: StoredDirectory, person: DirectoryPerson): Promise<DirectoryUser> {
    const { identityUsers } = this.#deps
    const account = accountOf(directory, person)
    const decision = await this.#decide(directory, person)
    if (decision.refusal !== '') throw identityRefused(decision)
    return await identityUsers.signedIn(account, await identityUsers.known(account), decision)
  }

  async #decide(directory: StoredDirectory, person: DirectoryPerson) {
    const { identityUsers } = this.#deps
    const { username, groups } = person
    const claims = { username, ...(groups && { groups }) }
    const known = await identityUsers.known(accountOf(directory, person))
    return identityUsers.decide(rulesOf(directory), claims, known)
  }
}

/** Names of groups are compared as directories do. */
function rulesOf({ options }: StoredDirectory): LoginRules {
  const { adminGroups, loginGroups, accountGroups, newAccounts } = options
  return {
    ...CLAIMS,
    newAccounts,
    adminGroups: adminGroups.map(fold),
    loginGroups: loginGroups.map(fold),
    accountGroups: accountGroups.map(fold),
  }
}

function accountOf(
  { id }: StoredDirectory,
  { id: subject, username, dn }: DirectoryPerson,
): Account {
  return { issuer: issuerOf(id), subject, label: username || dn }
}

/** A search that finds no entry, or several, is as a wrong password: others must not learn which. */
async function orUndefined<T>(search: Promise<T>): Promise<T | undefined> {
  try {
    return await search
  } catch (error) {
    if (isFault(error, 'unprocessable')) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return isFault(error, 'unprocessable') && error.reason === 'entryMissing'
}
