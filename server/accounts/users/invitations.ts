/** Invitations: a link by which a user chooses the password of an account, once (docs/api.md 24). */

import { randomId } from '#server/db/random-id.ts'
import type { InvitationRows, StoredInvitation } from '#server/db/rows/invitations.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Invitation, NewInvitation } from '#wire/api/invitations.ts'
import { Fault } from '#wire/fault.ts'
import { DAY_MS } from '#wire/units.ts'
import { hashPassword } from '../credentials/passwords.ts'
import type { Users } from './users.ts'

/** As many random bytes as in a session id. */
const TOKEN_BYTES = 24

export class Invitations {
  readonly #rows: InvitationRows
  readonly #users: Users
  readonly #atomically: <T>(work: () => Promise<T>) => Promise<T>

  constructor(
    rows: InvitationRows,
    users: Users,
    atomically: <T>(work: () => Promise<T>) => Promise<T>,
  ) {
    this.#rows = rows
    this.#users = users
    this.#atomically = atomically
  }

  /** The hash of a random password, for an account whose user has not chosen one yet. */
  unknownPasswordHash(): Promise<string> {
    return hashPassword(randomId(TOKEN_BYTES))
  }

  /** Removes expired invitations. Returns those that can still be accepted. */
  async list(): Promise<Invitation[]> {
    await this.#rows.removeExpired(Date.now())
    const open = await this.#rows.list()
    return Promise.all(open.map((stored) => this.#shown(stored)))
  }

  /**
   * Creates an invitation and ends an earlier one of the same user.
   *
   * @param days how long it is valid
   * @returns the invitation with its token, which is not stored
   * @throws Fault notFound, badRequest, tooMany
   */
  make(userId: number, days: number = SERVER_LIMITS.invitationDays): Promise<NewInvitation> {
    if (!(Number.isInteger(days) && days > 0 && days <= SERVER_LIMITS.invitationDaysMax)) {
      throw new Fault(
        'badRequest',
        `days must be a whole number from 1 to ${SERVER_LIMITS.invitationDaysMax}.`,
      )
    }
    const token = randomId(TOKEN_BYTES)
    const stored = { userId, tokenHash: digestOf(token), expiresMs: Date.now() + days * DAY_MS }
    return this.#atomically(async () => {
      // Throws notFound for an unknown user.
      await this.#users.get(userId)
      await this.#throwIfTooMany(userId)
      await this.#rows.put(stored)
      return { ...(await this.#shown(stored)), token }
    })
  }

  /**
   * Checks the limit of open invitations, before an account is created for a new one.
   *
   * @throws Fault tooMany
   */
  async throwIfTooMany(): Promise<void> {
    await this.#throwIfTooMany(undefined)
  }

  /**
   * Ends a user's invitation.
   *
   * @throws Fault notFound
   */
  async withdraw(userId: number): Promise<void> {
    if (!(await this.#rows.remove(userId)))
      throw new Fault('notFound', 'There is no such invitation.')
  }

  /** @returns the user of a token; undefined for a wrong, used or expired one */
  async find(token: string): Promise<StoredUser | undefined> {
    const stored = await this.#rows.findByHash(digestOf(token))
    return stored && stored.expiresMs > Date.now()
      ? await this.#users.find(stored.userId)
      : undefined
  }

  /**
   * Sets the password and ends the user's sessions. The change of the password deletes the invitation by a database
   * trigger.
   *
   * @returns undefined as for `find`
   */
  accept(token: string, passwordHash: string): Promise<StoredUser | undefined> {
    return this.#atomically(async () => {
      const user = await this.find(token)
      return user && (await this.#users.setPasswordHash(user.id, passwordHash))
    })
  }

  async #throwIfTooMany(exceptUserId: number | undefined): Promise<void> {
    await this.#rows.removeExpired(Date.now())
    const open = (await this.#rows.list()).filter(({ userId }) => userId !== exceptUserId).length
    if (open < SERVER_LIMITS.invitationsMax) return
    throw new Fault('tooMany', 'Too many invitations are open. Withdraw some first.', {
      reason: 'invitationsFull',
    })
  }

  async #shown({ userId, expiresMs }: StoredInvitation): Promise<Invitation> {
    const { username } = await this.#users.get(userId)
    return { userID: userId, username, expires: Math.floor(expiresMs / 1000) }
  }
}

/**
 * Only the hash is stored, so a leaked database reveals no links. Tokens are long and random, so a fast hash
 * suffices.
 */
function digestOf(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex')
}
