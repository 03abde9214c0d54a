/** Signing in by password. */
import { Fault } from '#wire/fault.ts'
import type { Credentials } from '#wire/session.ts'
import { verifyPassword } from './passwords.ts'
import type { Caller, Sessions } from './sessions.ts'
import type { Users } from './users.ts'

export class SignIn {
  readonly #users: Users
  readonly #sessions: Sessions

  constructor(users: Users, sessions: Sessions) {
    this.#users = users
    this.#sessions = sessions
  }

  /**
   * Opens a session for whoever knows the password. An unknown name costs the same time and gets the
   * same answer as a wrong password (decisions 8).
   *
   * @returns the session's token
   * @throws Fault wrongCredentials, unavailable
   */
  async open({ username, password }: Credentials, caller: Caller): Promise<string> {
    const user = this.#users.findByName(username)
    const right = await verifyPassword(password, user?.passwordHash)
    if (!user || !right) {
      throw new Fault('wrongCredentials', 'The name or the password is wrong.')
    }
    await this.#users.refreshHash(user, password)
    return this.#sessions.open(user, caller)
  }
}
