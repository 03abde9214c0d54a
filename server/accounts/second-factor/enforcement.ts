/** Who must have a second factor, and from when, as administrators set it. */
import { may } from '#server/access/policy.ts'
import type { IdentityRows } from '#server/db/rows/identities.ts'
import type { StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import type { Settings } from '#server/settings/settings.ts'
import { Fault } from '#wire/fault.ts'
import { isDirectoryIssuer } from '../directory/directories.ts'
import type { SecondFactors } from './second-factors.ts'

interface Deps {
  settings: Settings
  secondFactors: SecondFactors
  identities: Pick<IdentityRows, 'findById'>
}

export class Enforcement {
  readonly #deps: Deps
  readonly #isPossible: boolean

  /** @param isPossible whether users have second factors here, as under sign-in by password */
  constructor(deps: Deps, isPossible: boolean) {
    this.#deps = deps
    this.#isPossible = isPossible
  }

  /** From when a user must have a second factor, in milliseconds since 1970; undefined if never. */
  fromMs(user: StoredUser): number | undefined {
    const { secondFactorFor, secondFactorFrom } = this.#deps.settings.get()
    const isConcerned =
      secondFactorFor === 'all' || (secondFactorFor === 'administrators' && may(user, 'administer'))
    // The day begins by the clock of the server.
    return this.#isPossible && isConcerned ? Date.parse(`${secondFactorFrom}T00:00:00`) : undefined
  }

  /** Whether a user must set up a second factor before anything else. */
  async isDue(user: StoredUser): Promise<boolean> {
    const fromMs = this.fromMs(user)
    return (
      fromMs !== undefined &&
      Date.now() >= fromMs &&
      !(await this.#deps.secondFactors.isOn(user.id))
    )
  }

  /**
   * Refuses what a session does before the second factor is set up.
   *
   * @throws Fault forbidden
   */
  async refuseDue(user: StoredUser, session: Pick<StoredSession, 'identity'>): Promise<void> {
    if (!(await this.isDue(user)) || (await this.isExempt(session))) return
    throw new Fault('forbidden', 'Set up a second factor first, in the interface of this server.', {
      reason: 'factorDue',
    })
  }

  /** A provider has factors of its own, so a log-in with one is accepted without. A directory has only passwords. */
  async isExempt({ identity: used }: Pick<StoredSession, 'identity'>): Promise<boolean> {
    const identity = used && (await this.#deps.identities.findById(used.id))
    return identity !== undefined && !isDirectoryIssuer(identity.issuer)
  }
}
