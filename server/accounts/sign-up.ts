/** Strangers who make an account for themselves (contract 1.3, decisions 20). */
import { refuseOpenHouse } from '#server/settings/editing.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import type { Newcomers } from './newcomers.ts'
import { checkPassword, hashPassword } from './passwords.ts'

export class SignUp {
  readonly #settings: Settings
  readonly #newcomers: Newcomers

  constructor(settings: Settings, newcomers: Newcomers) {
    this.#settings = settings
    this.#newcomers = newcomers
  }

  /**
   * Makes the account.
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
    const hash = await hashPassword(password)
    await this.#newcomers.add(username, hash, {}, { emptyHome: true })
  }
}
