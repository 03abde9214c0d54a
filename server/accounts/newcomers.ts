/** People who come by themselves: by signing up, or because somebody else vouches for them. */
import type { StoredUser } from '#server/db/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { type Homes, homeFolder } from './home.ts'
import type { UserChanges, Users } from './users.ts'

export class Newcomers {
  readonly #users: Users
  readonly #settings: Settings
  readonly #homes: Homes

  constructor(users: Users, settings: Settings, homes: Homes) {
    this.#users = users
    this.#settings = settings
    this.#homes = homes
  }

  /**
   * Makes the account, with a folder of its own where the settings say so. Whatever the defaults
   * grant, a newcomer administers nothing and runs nothing, unless `changes` say otherwise.
   *
   * @param how `emptyHome`: the folder must not hold anything yet; for strangers, so that nobody gets
   *   another's files by the choice of a name
   * @throws Fault badRequest (name), usernameTaken, conflict (the home is somebody's)
   */
  async add(
    username: string,
    passwordHash: string,
    changes: UserChanges,
    how: { emptyHome: boolean },
  ): Promise<StoredUser> {
    const { defaults, createUserDir, userHomeBasePath } = this.#settings.get()
    const ownHome = createUserDir && changes.scope === undefined
    const home = ownHome ? homeFolder(userHomeBasePath, username) : undefined
    if (home && how.emptyHome && !(await this.#homes.isFree(home))) {
      throw new Fault('conflict', 'The folder for this user name belongs to somebody.')
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
    try {
      if (home) await this.#homes.make(home)
    } catch (error) {
      this.#users.remove(user.id)
      throw error
    }
    return user
  }
}
