/**
 * Before a sensitive change, users confirm who they are (docs/decisions.md 9): with the current password, and if they have a
 * second factor, in a session that has given a code of it a short time ago. A log-in with a provider a short time ago stands
 * for both.
 */
import type { StoredSession } from '#server/db/rows/sessions.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { verifyPassword } from '../credentials/passwords.ts'
import type { Sessions } from '../credentials/sessions.ts'
import type { Throttle } from '../credentials/throttle.ts'
import type { DirectorySignIn } from '../directory/directory-sign-in.ts'
import { type SecondFactors, wrongCode } from '../second-factor/second-factors.ts'

/** For so long after a code, the password alone confirms changes of the same session; and after a log-in with a provider, nothing more. */
const RECENT_MS = 5 * 60_000

export interface Confirmation {
  password: string
  /** The client's address. */
  address: string
  session: StoredSession
  /** @returns the user at the time of the change; undefined if the session has ended */
  findCurrentUser(): Promise<StoredUser | undefined>
}

interface Deps {
  sessions: Sessions
  throttle: Throttle
  secondFactors: SecondFactors
  directorySignIn: Pick<DirectorySignIn, 'isOf' | 'isPasswordOf'>
}

export class Confirmations {
  readonly #deps: Deps
  readonly #isNeeded: boolean

  /** @param isNeeded whether users have passwords to confirm with, as under sign-in by password */
  constructor(deps: Deps, isNeeded: boolean) {
    this.#deps = deps
    this.#isNeeded = isNeeded
  }

  /**
   * Checks the password of the user who makes a change.
   *
   * @returns the user at the time of the change
   * @throws Fault badRequest (wrong password, or a code is needed: `verify`), tooMany (attempts), unavailable (too many
   *   comparisons wait), unauthenticated (the session has ended)
   */
  async confirm(by: StoredUser, confirmation: Confirmation): Promise<StoredUser> {
    if (this.#isNeeded && !(await this.#isRecentAtProvider(by, confirmation))) {
      await this.#attempt(by, confirmation, async () => {
        const isOld = Math.abs(Date.now() - confirmation.session.verifiedMs) > RECENT_MS
        // Not counted, and the right password alone does not reset the counters either.
        if (isOld && (await this.#deps.secondFactors.isOn(by.id))) throw codeNeeded()
      })
    }
    return currentUser(confirmation)
  }

  /**
   * Checks the password and a code of the second factor, and notes this in the session.
   *
   * @param code a one-time code or a recovery code
   * @throws as `confirm`; badRequest (wrong code)
   */
  async verify(by: StoredUser, confirmation: Confirmation, code: string): Promise<void> {
    await this.#attempt(by, confirmation, async () => {
      if (!(await this.#deps.secondFactors.accepts(by.id, code))) throw counted(wrongCode())
    })
    await this.#deps.sessions.setVerified(confirmation.session.id)
  }

  /**
   * Checks the password, and what a passkey has signed, and notes this in the session.
   *
   * @param accept verifies it for the user, and throws badRequest
   * @throws as `confirm`, and `accept`
   */
  async verifyPasskey(
    by: StoredUser,
    confirmation: Confirmation,
    accept: () => Promise<unknown>,
  ): Promise<void> {
    await this.#attempt(by, confirmation, async () => {
      await accept().catch((error) => {
        throw isFault(error, 'badRequest') ? counted(error) : error
      })
    })
    await this.#deps.sessions.setVerified(confirmation.session.id)
  }

  /** Whether it is the password of this server, or of the user in a directory. */
  async #isPasswordOf({ id, passwordHash }: StoredUser, password: string): Promise<boolean> {
    if (await verifyPassword(password, passwordHash)) return true
    try {
      return await this.#deps.directorySignIn.isPasswordOf(id, password)
    } catch (error) {
      // Without a response of the directory, the password was wrong on this server.
      throw isFault(error) ? counted(error) : error
    }
  }

  /**
   * Whether a session without a password was opened with a provider a short time ago.
   *
   * @throws Fault badRequest (it was opened earlier, and the user has no password that could be asked for)
   */
  async #isRecentAtProvider(
    { id, lockPassword }: StoredUser,
    { password, session: { identity, createdMs } }: Confirmation,
  ): Promise<boolean> {
    if (identity === undefined || password !== '') return false
    const isRecent = Math.abs(Date.now() - createdMs) <= RECENT_MS
    // The password of a user who may not change it is not known to the user, unless it is that of a directory.
    if (!isRecent && lockPassword && !(await this.#deps.directorySignIn.isOf(id)))
      throw providerLoginOld()
    return isRecent
  }

  /**
   * Attempts are limited for this user and address, so that a stolen session does not allow guessing.
   *
   * @param check is called if the password is right
   */
  async #attempt(
    by: StoredUser,
    { password, address }: Confirmation,
    check: () => void | Promise<void>,
  ): Promise<void> {
    // Not counted: an empty password is never correct, so it guesses nothing.
    if (password === '') throw wrongPassword()
    const failureKinds = async () => ['pair', 'account'] as const
    const attempt = { account: `own ${by.id}`, address, failureKinds }
    try {
      await this.#deps.throttle.attempt(attempt, async () => {
        if (!(await this.#isPasswordOf(by, password))) throw counted(wrongPassword())
        await check()
      })
    } catch (error) {
      throw isFault(error, 'wrongCredentials') ? error.cause : error
    }
  }
}

/** The throttle counts this fault as a wrong password. */
function counted(fault: Fault): Fault {
  return new Fault('wrongCredentials', fault.message, { cause: fault })
}

/**
 * Reads the user again at the time of the change, since verifying and hashing passwords takes time.
 *
 * @throws Fault unauthenticated
 */
export async function currentUser({
  findCurrentUser,
}: Pick<Confirmation, 'findCurrentUser'>): Promise<StoredUser> {
  const user = await findCurrentUser()
  if (user) return user
  throw new Fault('unauthenticated', 'The session ended during the request.')
}

function wrongPassword(): Fault {
  return new Fault('badRequest', 'the current password is incorrect', {
    reason: 'currentPasswordWrong',
  })
}

function providerLoginOld(): Fault {
  return new Fault(
    'badRequest',
    'Your log-in is too old for this. Log out, log in again with your provider, and repeat it within five minutes.',
    { reason: 'providerLoginOld' },
  )
}

function codeNeeded(): Fault {
  return new Fault(
    'badRequest',
    'The account has a second factor: first send a code of it to /api/second-factor/verify.',
    { reason: 'codeNeeded' },
  )
}
