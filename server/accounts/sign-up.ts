/** Strangers who make an account for themselves (contract 1.3, decisions 20). */

import { refuseOpenHouse } from '#server/settings/editing.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { type Homes, homeFolder } from './home.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { Users } from './users.ts'

export class SignUp {
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
   * grant, a stranger administers nothing and runs nothing.
   *
   * @throws Fault methodNotAllowed (switched off), badRequest, usernameTaken, conflict (the home is
   *   somebody's)
   */
  async create(username: string, password: string): Promise<void> {
    const settings = this.#settings.get()
    if (!settings.signup) throw new Fault('methodNotAllowed', '405 Method Not Allowed')
    refuseOpenHouse(settings)
    if (username.trim() === '') throw new Fault('badRequest', 'username is empty')
    await checkPassword(password, settings.minimumPasswordLength)
    const { defaults, createUserDir, userHomeBasePath } = settings
    const home = createUserDir ? homeFolder(userHomeBasePath, username) : undefined
    if (home && !(await this.#homes.isFree(home))) {
      throw new Fault('conflict', 'The folder for this user name belongs to somebody.')
    }
    const user = this.#users.createHashed(
      username,
      await hashPassword(password),
      {
        perm: { ...defaults.perm, admin: false, execute: false },
        commands: [],
        ...(home ? { scope: home } : {}),
      },
      { ownScope: home !== undefined },
    )
    try {
      if (home) await this.#homes.make(home)
    } catch (error) {
      this.#users.remove(user.id)
      throw error
    }
  }
}
