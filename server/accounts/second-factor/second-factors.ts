/** The second factors of accounts: one-time codes of an authenticator app, and passkeys, with recovery codes. */
import type { PasskeyRows } from '#server/db/rows/passkeys.ts'
import type { SecondFactorRows } from '#server/db/rows/second-factors.ts'
import type { SecondFactor, SecondFactorDraft, SecondFactorUser } from '#wire/api/second-factor.ts'
import { Fault } from '#wire/fault.ts'
import { newCodeSecret, stepOf, uriOf } from './one-time-codes.ts'
import { digestOfCode, newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts'

/** How long a secret waits for its first code. */
const DRAFT_MS = 15 * 60_000

export class SecondFactors {
  readonly #rows: SecondFactorRows
  readonly #passkeys: PasskeyRows
  readonly #atomically: <T>(work: () => Promise<T>) => Promise<T>

  /** @param atomically runs work in one transaction */
  constructor(
    rows: SecondFactorRows,
    passkeys: PasskeyRows,
    atomically: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  ) {
    this.#rows = rows
    this.#passkeys = passkeys
    this.#atomically = atomically
  }

  /** Whether the password of a user is not enough to sign in. */
  async isOn(userId: number): Promise<boolean> {
    return (await this.#hasApp(userId)) || (await this.#passkeys.count(userId)) > 0
  }

  async #hasApp(userId: number): Promise<boolean> {
    return ((await this.#rows.find(userId))?.sinceMs ?? 0) > 0
  }

  async statusOf(userId: number): Promise<Omit<SecondFactor, 'requiredFrom'>> {
    const sinceMs = (await this.#rows.find(userId))?.sinceMs ?? 0
    return {
      since: sinceMs === 0 ? '' : new Date(sinceMs).toISOString(),
      recoveryCodes: await this.#rows.countCodes(userId),
      passkeyHosts: [...new Set((await this.#passkeys.list(userId)).map(({ rpId }) => rpId))],
    }
  }

  /** @returns the users whose password is not enough to sign in, and since when */
  async list(): Promise<SecondFactorUser[]> {
    const since = new Map((await this.#rows.list()).map(({ userId, sinceMs }) => [userId, sinceMs]))
    const passkeys = Map.groupBy(await this.#passkeys.list(), ({ userId }) => userId)
    return [...new Set([...since.keys(), ...passkeys.keys()])].map((userID) => {
      const own = passkeys.get(userID) ?? []
      const firstMs = Math.min(since.get(userID) ?? Infinity, own[0]?.createdMs ?? Infinity)
      return { userID, since: new Date(firstMs).toISOString(), passkeys: own.length }
    })
  }

  /**
   * Makes a secret, which is not in use before `confirm`. A factor in use stays in use until then.
   *
   * @param issuer the name of the installation
   * @param host its host, which distinguishes installations of the same name
   */
  async begin(
    user: { id: number; username: string },
    issuer: string,
    host: string,
  ): Promise<SecondFactorDraft> {
    const secret = newCodeSecret()
    await this.#rows.setDraft(user.id, secret, Date.now())
    return { secret, uri: uriOf(secret, issuer, `${user.username}@${host}`) }
  }

  /**
   * Puts the secret of `begin` into use.
   *
   * @param code a code of it, which shows that the app has it
   * @returns the new recovery codes
   * @throws Fault expired (no secret waits any more), badRequest (the code is wrong)
   */
  async confirm(userId: number, code: string): Promise<string[]> {
    const nowMs = Date.now()
    const { draft = '', draftMs = 0 } = (await this.#rows.find(userId)) ?? {}
    if (draft === '' || nowMs - draftMs > DRAFT_MS) throw draftExpired()
    const step = stepOf(draft, codeIn(code), nowMs)
    if (step === undefined) throw wrongCode()
    const codes = newRecoveryCodes()
    if (!(await this.#rows.confirm(userId, draft, step, codes.map(digestOfCode))))
      throw draftExpired()
    return codes
  }

  /**
   * Stores a factor. If it is the first one of the user, there are recovery codes from now on.
   *
   * @param store stores it, or throws
   * @returns the new recovery codes; none if the user had a factor before
   */
  async addingFactor<T>(
    userId: number,
    store: () => Promise<T>,
  ): Promise<{ stored: T; codes: string[] }> {
    const stored = await store()
    const codes = await this.#atomically(async () => {
      if ((await this.#rows.countCodes(userId)) > 0) return []
      const made = newRecoveryCodes()
      await this.#rows.replaceCodes(userId, made.map(digestOfCode))
      return made
    })
    return { stored, codes }
  }

  /** Whether a one-time code or a recovery code of a user is right. It is used up then. */
  async accepts(userId: number, text: string): Promise<boolean> {
    const { secret = '', sinceMs = 0 } = (await this.#rows.find(userId)) ?? {}
    const step = sinceMs > 0 ? stepOf(secret, codeIn(text), Date.now()) : undefined
    if (step !== undefined) return await this.#rows.claimStep(userId, step)
    const recoveryCode = readRecoveryCode(text)
    return (
      recoveryCode !== undefined && (await this.#rows.claimCode(userId, digestOfCode(recoveryCode)))
    )
  }

  /**
   * Replaces the recovery codes.
   *
   * @throws Fault conflict (the user has no second factor)
   */
  async renewRecoveryCodes(userId: number): Promise<string[]> {
    const codes = newRecoveryCodes()
    await this.#atomically(async () => {
      if (!(await this.isOn(userId)))
        throw new Fault('conflict', 'The account has no second factor.')
      await this.#rows.replaceCodes(userId, codes.map(digestOfCode))
    })
    return codes
  }

  /** Removes the one-time codes. The recovery codes stay if the user has passkeys. */
  async removeApp(userId: number): Promise<void> {
    await this.#atomically(async () => {
      await this.#rows.remove(userId)
      await this.#dropUnneededCodes(userId)
    })
  }

  /** Removes a passkey, and with the last factor the recovery codes. */
  async removePasskey(userId: number, id: string): Promise<void> {
    await this.#atomically(async () => {
      await this.#passkeys.remove(id)
      await this.#dropUnneededCodes(userId)
    })
  }

  async #dropUnneededCodes(userId: number): Promise<void> {
    if (!(await this.isOn(userId))) await this.#rows.replaceCodes(userId, [])
  }

  /** Removes all factors. @returns whether there was one in use */
  remove(userId: number): Promise<boolean> {
    return this.#atomically(async () => {
      const wasOn = await this.isOn(userId)
      await this.#rows.remove(userId)
      await this.#passkeys.removeAll(userId)
      await this.#rows.replaceCodes(userId, [])
      return wasOn
    })
  }
}

/** A code without the spaces with which apps show it, in the digits of ASCII: Arabic keyboards, for example, type others. */
function codeIn(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
}

function draftExpired(): Fault {
  return new Fault('expired', 'The secret has expired. Begin again.', { reason: 'draftExpired' })
}

export function wrongCode(): Fault {
  return new Fault('badRequest', 'The code is wrong, or was used before. Wait for the next one.', {
    reason: 'codeWrong',
  })
}
