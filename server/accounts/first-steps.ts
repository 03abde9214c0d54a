/** The checklist for the first administrator, until it is dismissed (docs/api.md 25). */
import type { PersonalRows } from '#server/db/rows/personal.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import type { FirstSteps as Steps } from '#wire/api/first-steps.ts'
import type { AuthMethod } from '#wire/api/settings.ts'
import type { Users } from './users/users.ts'

/** The key of the stored digest of the first password's hash; empty text in databases of earlier versions. */
const KEY = 'firstSteps'

export class FirstStepsList {
  readonly #rows: PersonalRows
  readonly #users: Users

  constructor(rows: PersonalRows, users: Users) {
    this.#rows = rows
    this.#users = users
    users.onHashRefresh = async (before, after) => {
      if ((await this.#rows.find(before.id, KEY)) === digestOf(before.passwordHash))
        await this.begin(after)
    }
  }

  /**
   * Starts the checklist for the administrator of a new database. The user may not know who else knows the password:
   * it was generated, or it came from the configuration.
   */
  async begin({ id, passwordHash }: StoredUser): Promise<void> {
    await this.#rows.put(id, KEY, digestOf(passwordHash))
  }

  async of({ id, passwordHash }: StoredUser, method: AuthMethod): Promise<Omit<Steps, 'hosts'>> {
    const firstDigest = await this.#rows.find(id, KEY)
    if (firstDigest === undefined) return { isDue: false, changePassword: false, addPeople: false }
    return {
      isDue: true,
      changePassword: method === 'json' && firstDigest === digestOf(passwordHash),
      addPeople: method !== 'noauth' && (await this.#users.count()) === 1,
    }
  }

  async dismiss(userId: number): Promise<void> {
    await this.#rows.remove(userId, KEY)
  }
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}
