/** Strangers who make an account for themselves (docs/api.md 1.3, docs/decisions.md 20). */
import { networkOf } from '#server/access/network.ts'
import { rejectUnsafeSignup } from '#server/settings/normalize.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { Failures } from './failures.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { Provisioning } from './provisioning.ts'

export class SignUp {
  readonly #settings: Settings
  readonly #provisioning: Provisioning
  /** Accounts that were made from an address. */
  readonly #made = new Failures()

  constructor(settings: Settings, provisioning: Provisioning) {
    this.#settings = settings
    this.#provisioning = provisioning
  }

  /** @throws Fault methodNotAllowed when strangers may not sign up */
  mustBeOpen(): void {
    if (!this.#settings.get().signup) throw new Fault('methodNotAllowed', '405 Method Not Allowed')
  }

  /**
   * Makes the account. Of one address the first few cost nothing, and each further one makes it wait.
   *
   * @throws Fault methodNotAllowed (switched off), badRequest, usernameTaken, conflict (the home is
   *   somebody's), tooMany
   */
  async create(username: string, password: string, address: string): Promise<void> {
    this.mustBeOpen()
    const from = networkOf(address)
    this.#mustWait(from)
    const settings = this.#settings.get()
    rejectUnsafeSignup(settings)
    if (username.trim() === '') throw new Fault('badRequest', 'username is empty')
    await checkPassword(password, settings.minimumPasswordLength)
    const hash = await hashPassword(password)
    await this.#provisioning.add(username, hash, {}, { emptyHome: true })
    this.#made.add('signUp', from)
  }

  /** @throws Fault tooMany */
  #mustWait(from: string): void {
    const waitMs = this.#made.closedUntilMs(from) - Date.now()
    if (waitMs <= 0) return
    throw new Fault('tooMany', 'Too many accounts were made from here. Try again later.', {
      retryAfterSec: Math.ceil(waitMs / 1000),
    })
  }
}
