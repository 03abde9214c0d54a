/** Signing in by password. */
import { Fault } from '#wire/fault.ts'
import type { Credentials } from '#wire/session.ts'
import { verifyPassword } from './passwords.ts'
import type { Caller, Sessions } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { Users } from './users.ts'

export class SignIn {
  readonly #users: Users
  readonly #sessions: Sessions

  readonly #throttle: Throttle

  constructor(users: Users, sessions: Sessions, throttle: Throttle) {
    this.#users = users
    this.#sessions = sessions
    this.#throttle = throttle
  }

  /**
   * Opens a session for whoever knows the password. An unknown name costs the same time and gets the
   * same answer as a wrong password (decisions 8).
   *
   * @param held whom a token that came along belongs to, if one did
   * @returns the session's token
   * @throws Fault wrongCredentials, tooMany, unavailable
   */
  async open(credentials: Credentials, caller: Caller, held?: string): Promise<string> {
    const { username, password } = credentials
    this.#throttle.mayTry(username, caller.address, held === username)
    const user = this.#users.findByName(username)
    const right = await verifyPassword(password, user?.passwordHash)
    if (!user || !right) {
      this.#throttle.failed(username, caller.address)
      throw new Fault('wrongCredentials', 'The name or the password is wrong.')
    }
    this.#throttle.succeeded(username, caller.address)
    await this.#users.refreshHash(user, password)
    return this.#sessions.open(user, caller)
  }
}
