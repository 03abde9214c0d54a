/** Creates accounts for users who sign up, or whom an authenticating proxy or a hook names. */
import type { StoredUser } from '#server/db/rows/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { type HomeFolders, homeFolder } from './home.ts'
import type { UserChanges } from './user-changes.ts'
import type { Users } from './users.ts'

export class Provisioning {
  readonly #users: Users
  readonly #settings: Settings
  readonly #homes: HomeFolders

  constructor(users: Users, settings: Settings, homes: HomeFolders) {
    this.#users = users
    this.#settings = settings
    this.#homes = homes
  }

  /**
   * Creates the account and, depending on the settings, its own folder. A new user is no administrator and may not
   * run commands, whatever the defaults are, unless `changes` grant it.
   *
   * @param options `requireEmptyHome`: the folder must be empty. For sign-up, so that no user gets the files of another
   *   user by choosing a name
   * @throws Fault badRequest (name), usernameTaken, conflict (the home folder is not free); as `createHome`
   */
  async add(
    username: string,
    passwordHash: string,
    changes: UserChanges,
    options: { requireEmptyHome: boolean },
  ): Promise<StoredUser> {
    const { defaults, createUserDir, userHomeBasePath } = this.#settings.get()
    const ownHome = createUserDir && changes.scope === undefined
    const home = ownHome ? homeFolder(userHomeBasePath, username) : undefined
    if (home && options.requireEmptyHome && !(await this.#homes.isFree(home))) {
      throw new Fault(
        'conflict',
        'There already is a home folder of this name, or its content is in the trash.',
      )
    }
    // This also refuses the scope of another user.
    const user = await this.#users.createHashed(
      username,
      passwordHash,
      {
        perm: { ...defaults.perm, admin: false, execute: false },
        commands: [],
        ...(home ? { scope: home } : {}),
        ...changes,
      },
      { requireUniqueScope: home !== undefined },
    )
    return this.createHome(user)
  }

  /**
   * Creates the home folder of a new user, unless that was done before (docs/api.md 4.4).
   *
   * @returns the same user
   * @throws as `HomeFolders.make`; then the user is deleted again
   */
  async createHome(user: StoredUser): Promise<StoredUser> {
    try {
      await this.#users.makeHome(user, this.#homes.make)
    } catch (error) {
      await this.#users.remove(user.id)
      throw error
    }
    return user
  }

  /**
   * Creates the home folder at the next sign-in, if it is due: the command line cannot create it, and a change of the
   * scope does not.
   */
  async createDueHome(user: StoredUser): Promise<void> {
    try {
      await this.#users.makeHome(user, this.#homes.make)
    } catch (error) {
      // The user is signed in anyway, and sees the error when opening the folder.
      if (!(error instanceof Fault)) throw error
    }
  }
}
