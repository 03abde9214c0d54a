/** People who come by themselves: by signing up, or because somebody else vouches for them. */
import type { StoredUser } from '#server/db/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { type Homes, homeFolder } from './home.ts'
import type { UserChanges } from './user-changes.ts'
import type { Users } from './users.ts'

export class Provisioning {
  readonly #users: Users
  readonly #settings: Settings
  readonly #homes: Homes

  constructor(users: Users, settings: Settings, homes: Homes) {
    this.#users = users
    this.#settings = settings
    this.#homes = homes
  }

  /**
   * Makes the account and its folder, which is nobody else's where the settings say so. Whatever the defaults
   * grant, a newcomer administers nothing and runs nothing, unless `changes` say otherwise.
   *
   * @param options `emptyHome`: the folder must not hold anything yet; for strangers, so that nobody gets
   *   another's files by the choice of a name
   * @throws Fault badRequest (name), usernameTaken, conflict (the home is somebody's)
   */
  async add(
    username: string,
    passwordHash: string,
    changes: UserChanges,
    options: { emptyHome: boolean },
  ): Promise<StoredUser> {
    const { defaults, createUserDir, userHomeBasePath } = this.#settings.get()
    const ownHome = createUserDir && changes.scope === undefined
    const home = ownHome ? homeFolder(userHomeBasePath, username) : undefined
    if (home && options.emptyHome && !(await this.#homes.isFree(home))) {
      throw new Fault('conflict', 'Another user already has the folder for this user name.')
    }
    const user = this.#users.createHashed(
      username,
      passwordHash,
      {
        perm: { ...defaults.perm, admin: false, execute: false },
        commands: [],
        ...(home ? { scope: home } : {}),
        ...changes,
      },
      { ownScope: home !== undefined },
    )
    return this.settle(user)
  }

  /**
   * Makes the folder of somebody who was just added, wherever it lies (docs/api.md 4.4).
   *
   * @returns the same user
   * @throws Fault notDirectory, forbidden, readOnly; the user is gone again then
   */
  async settle(user: StoredUser): Promise<StoredUser> {
    try {
      await this.#users.makeHome(user, this.#homes.make)
    } catch (error) {
      this.#users.remove(user.id)
      throw error
    }
    return user
  }

  /** The same for somebody who was added by the command line, which has no way to the served tree. */
  async welcome(user: StoredUser): Promise<void> {
    try {
      await this.#users.makeHome(user, this.#homes.make)
    } catch (error) {
      // They are let in all the same: what they find missing is told where they look for it.
      if (!(error instanceof Fault)) throw error
    }
  }
}
