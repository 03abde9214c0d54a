/** The checklist for the first administrator, until it is dismissed (docs/api.md 25). */
import type { PersonalRows } from '#server/db/personal.ts'
import type { StoredUser } from '#server/db/users.ts'
import type { FirstSteps as Steps } from '#wire/first-steps.ts'
import type { AuthMethod } from '#wire/settings.ts'
import type { Users } from './users.ts'

/** The key of the stored digest of the generated password's hash; empty text if the operator chose the password. */
const KEY = 'firstSteps'

export class FirstStepsList {
  readonly #rows: PersonalRows
  readonly #users: Users

  constructor(rows: PersonalRows, users: Users) {
    this.#rows = rows
    this.#users = users
  }

  /**
   * Starts the checklist for the administrator of a new database.
   *
   * @param isMadeUp whether the server generated the password
   */
  begin({ id, passwordHash }: StoredUser, isMadeUp: boolean): void {
    this.#rows.put(id, KEY, isMadeUp ? digestOf(passwordHash) : '')
  }

  of({ id, passwordHash }: StoredUser, method: AuthMethod): Omit<Steps, 'hosts'> {
    const generatedDigest = this.#rows.find(id, KEY)
    if (generatedDigest === undefined)
      return { isDue: false, changePassword: false, addPeople: false }
    return {
      isDue: true,
      changePassword: method === 'json' && generatedDigest === digestOf(passwordHash),
      addPeople: method !== 'noauth' && this.#users.count() === 1,
    }
  }

  dismiss(userId: number): void {
    this.#rows.remove(userId, KEY)
  }
}

function digestOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}
