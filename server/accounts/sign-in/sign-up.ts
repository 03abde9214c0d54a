/** Sign-up of new users (docs/api.md 1.3, docs/decisions.md 20). */

import type { FailureRows } from '#server/db/rows/failures.ts'
import { networkPrefix } from '#server/lib/network.ts'
import { rejectUnsafeSignup } from '#server/settings/normalize.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { Failures } from '../credentials/failures.ts'
import { checkPassword, hashPassword } from '../credentials/passwords.ts'
import type { Provisioning } from '../users/provisioning.ts'

export class SignUp {
  readonly #settings: Settings
  readonly #provisioning: Provisioning
  /** Counts sign-ups by the network of the client. */
  readonly #signUps: Failures

  /** @param failures the counters of all servers; without it, they are only in memory */
  constructor(settings: Settings, provisioning: Provisioning, failures?: FailureRows) {
    this.#signUps = new Failures(failures)
    this.#settings = settings
    this.#provisioning = provisioning
  }

  /** @throws Fault methodNotAllowed if sign-up is disabled */
  requireEnabled(): void {
    if (!this.#settings.get().signup) throw new Fault('methodNotAllowed', '405 Method Not Allowed')
  }

  /**
   * Creates the account. The first few from an address are free; each further one blocks the address for some time.
   *
   * @throws Fault methodNotAllowed (disabled), badRequest, usernameTaken, conflict (the home belongs to another
   *   user), tooMany
   */
  async create(username: string, password: string, address: string): Promise<void> {
    this.requireEnabled()
    const network = networkPrefix(address)
    await this.#throwIfBlocked(network)
    const settings = this.#settings.get()
    rejectUnsafeSignup(settings)
    if (username.trim() === '') throw new Fault('badRequest', 'The user name is empty.')
    await checkPassword(password, settings.minimumPasswordLength)
    const hash = await hashPassword(password)
    await this.#provisioning.add(username, hash, {}, { requireEmptyHome: true })
    await this.#signUps.add('signUp', `signUp\0${network}`)
  }

  /** @throws Fault tooMany */
  async #throwIfBlocked(network: string): Promise<void> {
    const waitMs = await this.#signUps.waitMs(`signUp\0${network}`)
    if (waitMs <= 0) return
    throw new Fault(
      'tooMany',
      'Too many accounts were created from this address. Try again later.',
      {
        retryAfterSec: Math.ceil(waitMs / 1000),
      },
    )
  }
}
