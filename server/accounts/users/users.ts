/** Creates, changes and deletes users, by the same rules for HTTP and the command line. */

import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { UserDefaults } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import {
  checkPassword,
  hashKindOf,
  hashPassword,
  isHash,
  isOutdatedHash,
  NEW_HASH_KIND,
  verifyPassword,
} from '../credentials/passwords.ts'
import type { Sessions } from '../credentials/sessions.ts'
import { homeTaken, isSameScope } from './home.ts'
import type { ImportedUser } from './import-export.ts'
import { type ImportOptions, importUsers } from './import-users.ts'
import type { UserChanges } from './user-changes.ts'
import { checkUser, newUser } from './user-checks.ts'

/** A change that contains one of these fields ends the user's sessions. */
const ENDS_SESSIONS = ['username', 'scope', 'perm', 'commands', 'rules', 'lockPassword'] as const

/** Whether a change of a user, without a new password, ends the user's sessions. */
export function endsSessions(changes: UserChanges): boolean {
  return ENDS_SESSIONS.some((field) => field in changes)
}

type OnHomeChange = (userId: number, from: TreePath, to: TreePath) => Promise<void>

export class Users {
  readonly #rows: UserRows
  readonly #settings: Settings
  readonly #sessions: Sessions
  readonly #onHomeChange: OnHomeChange
  /** Called in the transaction that replaces the hash of an unchanged password. */
  onHashRefresh: (before: StoredUser, after: StoredUser) => Promise<void> = async () => undefined

  /** @param onHomeChange called in the transaction that changes a user's home folder */
  constructor(
    rows: UserRows,
    settings: Settings,
    sessions: Sessions,
    onHomeChange: OnHomeChange = async () => undefined,
  ) {
    this.#rows = rows
    this.#settings = settings
    this.#sessions = sessions
    this.#onHomeChange = onHomeChange
  }

  list(): Promise<StoredUser[]> {
    return this.#rows.list()
  }

  count(): Promise<number> {
    return this.#rows.count()
  }

  /** @throws Fault notFound */
  async get(id: number): Promise<StoredUser> {
    const user = await this.#rows.find(id)
    if (user) return user
    throw new Fault('notFound', `There is no user ${id}.`)
  }

  /**
   * Finds the user that an operator names on the command line, by name or id. `name:3` and `id:3` distinguish a user
   * called 3 from the user with id 3. They come before a user whose name begins so, such as `id:3`.
   *
   * @throws Fault notFound; conflict if a number is the name of one user and the id of another
   */
  async getByNameOrId(nameOrId: string): Promise<StoredUser> {
    const rows = this.#rows
    const [, word, rest = ''] = /^(id|name):(.*)$/.exec(nameOrId) ?? []
    const digits = word === 'id' ? rest : nameOrId
    const byName = word === 'id' ? undefined : await rows.findByName(word ? rest : nameOrId)
    const mayBeId = word !== 'name' && /^\d{1,15}$/.test(digits)
    const byId = mayBeId ? await rows.find(Number(digits)) : undefined
    if (byName && byId && byName.id !== byId.id) {
      throw new Fault(
        'conflict',
        `${nameOrId} is the name of user ${byName.id} and the id of ${byId.username}. Write name:${nameOrId} or id:${nameOrId}.`,
      )
    }
    // A user may be called `id:3`.
    const user = byName ?? byId ?? (await rows.findByName(nameOrId))
    if (user) return user
    throw new Fault('notFound', `There is no user ${nameOrId}.`)
  }

  /** The kinds of all stored hashes, and of new ones. */
  async hashKinds(): Promise<readonly string[]> {
    return [
      ...new Set([
        NEW_HASH_KIND,
        ...(await this.#rows.list()).map((user) => hashKindOf(user.passwordHash)),
      ]),
    ]
  }

  find(id: number): Promise<StoredUser | undefined> {
    return this.#rows.find(id)
  }

  findByName(username: string): Promise<StoredUser | undefined> {
    return this.#rows.findByName(username)
  }

  /**
   * @param accept called right before the user is stored; throwing refuses the change
   * @throws Fault badRequest (password, name, rules, permissions), usernameTaken
   */
  async create(
    username: string,
    password: string,
    changes: UserChanges = {},
    accept: () => Promise<unknown> = async () => undefined,
  ): Promise<StoredUser> {
    await checkPassword(password, this.#settings.get().minimumPasswordLength)
    const passwordHash = await hashPassword(password)
    return this.createHashed(username, passwordHash, changes, { accept })
  }

  /**
   * @param options checked and stored in one transaction. `requireUniqueScope`: no other user may have this scope; `accept`
   *   as for `create`
   * @throws Fault badRequest (hash, name, rules, permissions), usernameTaken, conflict (scope)
   */
  async createHashed(
    username: string,
    passwordHash: string,
    changes: UserChanges = {},
    {
      requireUniqueScope = false,
      accept,
    }: { requireUniqueScope?: boolean; accept?: () => Promise<unknown> } = {},
  ): Promise<StoredUser> {
    if (!isHash(passwordHash)) {
      throw new Fault('badRequest', 'This is not a password hash. Create one with `filemgr hash`.')
    }
    const base = newUser(this.#settings.get())
    const user = checkUser({ ...base, passwordHash, ...changes, username })
    return this.#rows.atomically(async () => {
      await accept?.()
      if (
        requireUniqueScope &&
        (await this.#rows.list()).some(({ scope }) => isSameScope(scope, user.scope))
      ) {
        throw homeTaken()
      }
      const stored = await this.#rows.insert(user)
      await this.#rows.setHomeDue(stored.id)
      return stored
    })
  }

  /**
   * Creates the home folder once for a new user, and once after a change of the scope. It may be due from a command that
   * had no access to the tree. A folder that is deleted later is not created again.
   *
   * @throws what `make` throws; the folder is then still due
   */
  async makeHome(
    { id, scope }: StoredUser,
    make: (path: TreePath) => Promise<void>,
  ): Promise<void> {
    if (!(await this.#rows.isHomeDue(id))) return
    await make(parsePath(scope))
    await this.#rows.clearHomeDue(id)
  }

  /**
   * Changes a user. If `changes` contains a field of `ENDS_SESSIONS`, even unchanged, the user's sessions end at once
   * (docs/decisions.md 7).
   *
   * @throws Fault notFound, badRequest, usernameTaken, forbidden (the only administrator would lose the right)
   */
  update(id: number, changes: UserChanges): Promise<StoredUser> {
    return this.#change(id, changes)
  }

  /**
   * Changes a user and the password in one transaction. All sessions of the user end.
   *
   * @param accept as for `create`
   * @throws as `update`
   */
  async updateWithPassword(
    id: number,
    changes: UserChanges,
    password: string,
    accept: () => Promise<unknown> = async () => undefined,
  ): Promise<StoredUser> {
    await checkPassword(password, this.#settings.get().minimumPasswordLength)
    const passwordHash = await hashPassword(password)
    return this.#change(id, changes, passwordHash, accept)
  }

  /**
   * Throws what `create` (without an `id`), `update` and `updateWithPassword` would throw. Stores nothing.
   *
   * @throws as they
   */
  async validate(id: number | undefined, changes: UserChanges, password?: string): Promise<void> {
    if (password !== undefined) {
      await checkPassword(password, this.#settings.get().minimumPasswordLength)
    }
    const user = id === undefined ? newUser(this.#settings.get()) : await this.get(id)
    const next = checkUser({ ...user, ...changes })
    if (id !== undefined && user.perm.admin && !next.perm.admin)
      await this.#refuseLastAdministrator(id)
    const namesake = await this.#rows.findByName(next.username)
    if (namesake && namesake.id !== id) throw new Fault('usernameTaken', 'This user name is taken.')
  }

  #change(
    id: number,
    changes: UserChanges,
    passwordHash?: string,
    accept?: () => Promise<unknown>,
  ): Promise<StoredUser> {
    const isEnd = passwordHash !== undefined || endsSessions(changes)
    return this.#rows.atomically(async () => {
      await accept?.()
      const user = await this.get(id)
      const next = checkUser({ ...user, ...changes, ...(passwordHash && { passwordHash }) })
      if (user.perm.admin && !next.perm.admin) await this.#refuseLastAdministrator(id)
      if (isEnd) await this.#sessions.endAll(id)
      const [from, to] = [parsePath(user.scope), parsePath(next.scope)]
      if (from !== to) await this.#onHomeChange(id, from, to)
      // The new folder is created at the next sign-in.
      if (from !== to) await this.#rows.setHomeDue(id)
      return this.#rows.update(next)
    })
  }

  /** As `update`, for the fields that differ, so that unchanged values end no session. */
  async updateChangedFields(user: StoredUser, changes: UserChanges): Promise<StoredUser> {
    const next: Record<string, unknown> = { ...user, ...changes }
    const current: Record<string, unknown> = { ...user }
    const fields = Object.keys(changes).filter((key) => !Bun.deepEquals(next[key], current[key]))
    if (fields.length === 0) return user
    return await this.update(user.id, Object.fromEntries(fields.map((key) => [key, next[key]])))
  }

  /** The default values of a new user. */
  defaults(): UserDefaults {
    return this.#settings.get().defaults
  }

  /**
   * Replaces an outdated hash after the password was verified.
   *
   * @returns the user with the hash that matches the password
   */
  async refreshHash(user: StoredUser, password: string): Promise<StoredUser> {
    if (!isOutdatedHash(user.passwordHash)) return user
    const passwordHash = await hashPassword(password)
    return this.#rows.atomically(async () => {
      const current = await this.#rows.find(user.id)
      if (current?.passwordHash !== user.passwordHash) return user
      const refreshed = await this.#rows.update({ ...current, passwordHash })
      await this.onHashRefresh(current, refreshed)
      return refreshed
    })
  }

  /**
   * Stores a password that an external method has verified. Sessions continue, since access does not change.
   *
   * @returns the user with the hash that matches the password
   */
  async storeVerifiedPassword(user: StoredUser, password: string): Promise<StoredUser> {
    if (password === '' || (await verifyPassword(password, user.passwordHash))) return user
    const passwordHash = await hashPassword(password)
    return this.#rows.atomically(async () =>
      this.#rows.update({ ...(await this.get(user.id)), passwordHash }),
    )
  }

  /**
   * Sets the password of a user who was authenticated otherwise. Their sessions end.
   *
   * @throws Fault notFound
   */
  setPasswordHash(id: number, passwordHash: string): Promise<StoredUser> {
    return this.#change(id, {}, passwordHash)
  }

  /**
   * Deletes a user with sessions, uploads, shares, jobs and personal data; the files stay.
   *
   * @throws Fault notFound, forbidden (the only administrator)
   */
  async remove(id: number): Promise<void> {
    await this.#rows.atomically(async () => {
      if ((await this.get(id)).perm.admin) await this.#refuseLastAdministrator(id)
      await this.#rows.remove(id)
    })
  }

  /**
   * Imports users from a document, all or none.
   *
   * @throws Fault badRequest that lists all problems; nothing is changed then
   */
  async importUsers(users: readonly ImportedUser[], options: ImportOptions): Promise<void> {
    const problems = await this.tryImport(users, options, { dryRun: false })
    if (problems.length > 0) throw new Fault('badRequest', problems.join('\n'))
  }

  /**
   * @param run `dryRun` changes nothing; otherwise the users are imported if there are no problems
   * @returns the problems of an import, each naming the user
   */
  tryImport(
    users: readonly ImportedUser[],
    options: ImportOptions,
    run: { dryRun: boolean },
  ): Promise<string[]> {
    const [rows, sessions, homeChanged] = [this.#rows, this.#sessions, this.#onHomeChange]
    const deps = { rows, sessions, blank: this.defaults(), homeChanged }
    return importUsers(deps, users, options, run)
  }

  async #refuseLastAdministrator(id: number): Promise<void> {
    if ((await this.#rows.list()).some((user) => user.id !== id && user.perm.admin)) return
    throw new Fault('forbidden', 'This is the only administrator. Add another one first.')
  }
}
