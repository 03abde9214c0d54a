/** What users with an invitation see, and how they accept it. */
import type { StoredUser } from '#server/db/rows/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { InvitationShown } from '#wire/api/invitations.ts'
import type { AuthMethod } from '#wire/api/settings.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { checkPassword, hashPassword } from '../credentials/passwords.ts'
import type { SessionClient, Sessions } from '../credentials/sessions.ts'
import type { Throttle } from '../credentials/throttle.ts'
import type { SecondFactors } from '../second-factor/second-factors.ts'
import type { Invitations } from '../users/invitations.ts'
import type { Provisioning } from '../users/provisioning.ts'
import { CodeNeededFault, type SignedIn } from './sign-in.ts'

interface Deps {
  invitations: Invitations
  provisioning: Provisioning
  secondFactors: SecondFactors
  sessions: Sessions
  settings: Settings
  throttle: Throttle
}

export class InvitationAccess {
  readonly #deps: Deps
  readonly #isEnabled: boolean

  /** @param method invitations exist only for sign-in by password, which is `json` */
  constructor(deps: Deps, method: AuthMethod) {
    this.#deps = deps
    this.#isEnabled = method === 'json'
  }

  /**
   * For the routes of administrators; users with a token get `notFound`.
   *
   * @throws Fault methodNotAllowed
   */
  requireEnabled(): void {
    if (this.#isEnabled) return
    throw new Fault(
      'methodNotAllowed',
      'This server does not use its own passwords for sign-in, so it has no invitations.',
    )
  }

  /** @throws Fault notFound for a wrong, used or expired token; tooMany (guessing), unavailable (too many wait) */
  async show(token: string, address: string): Promise<InvitationShown> {
    const { username } = await this.#find(token, address)
    const { minimumPasswordLength } = this.#deps.settings.get()
    return { username, minimumPasswordLength }
  }

  /**
   * Sets the chosen password and signs the user in. The invitation is used up. It does not replace a second factor.
   *
   * @throws as `show`; CodeNeededFault after the password was set; badRequest for a refused password, after which the invitation is still valid
   */
  async accept(token: string, password: string, client: SessionClient): Promise<SignedIn> {
    const { invitations, provisioning, secondFactors, sessions, settings } = this.#deps
    await this.#find(token, client.address)
    await checkPassword(password, settings.get().minimumPasswordLength)
    // Another request may have accepted it since it was read.
    const user = (await invitations.accept(token, await hashPassword(password))) ?? throwNotFound()
    if (await secondFactors.isOn(user.id))
      throw new CodeNeededFault(await sessions.issueTicket(user))
    await provisioning.createDueHome(user)
    return { username: user.username, token: await sessions.open(user, client) }
  }

  /** Wrong tokens are counted by address: a guessed token belongs to no account. */
  async #find(token: string, address: string): Promise<StoredUser> {
    if (!this.#isEnabled) return throwNotFound()
    const { invitations, throttle } = this.#deps
    try {
      return await throttle.attempt(
        { account: 'invitation', address, failureKinds: BY_ADDRESS },
        async () => (await invitations.find(token)) ?? throwWrongToken(),
      )
    } catch (error) {
      if (isFault(error, 'wrongCredentials')) return throwNotFound()
      throw error
    }
  }
}

const BY_ADDRESS = async () => ['address'] as const

/** The throttle counts this fault as a wrong password. */
function throwWrongToken(): never {
  throw new Fault('wrongCredentials', 'There is no such invitation.')
}

function throwNotFound(): never {
  throw new Fault('notFound', 'There is no such invitation.')
}
