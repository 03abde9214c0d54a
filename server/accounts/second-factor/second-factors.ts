/** The second factor of accounts: one-time codes of an authenticator app, with recovery codes. */
import type { SecondFactorRows } from '#server/db/rows/second-factors.ts'
import type { SecondFactor, SecondFactorDraft } from '#wire/api/second-factor.ts'
import { Fault } from '#wire/fault.ts'
import { newCodeSecret, stepOf, uriOf } from './one-time-codes.ts'
import { digestOfCode, newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts'

/** How long a secret waits for its first code. */
const DRAFT_MS = 15 * 60_000

export class SecondFactors {
  readonly #rows: SecondFactorRows

  constructor(rows: SecondFactorRows) {
    this.#rows = rows
  }

  /** Whether a user needs a code to sign in. */
  isOn(userId: number): boolean {
    return (this.#rows.find(userId)?.sinceMs ?? 0) > 0
  }

  statusOf(userId: number): SecondFactor {
    const sinceMs = this.#rows.find(userId)?.sinceMs ?? 0
    return {
      since: sinceMs === 0 ? '' : new Date(sinceMs).toISOString(),
      recoveryCodes: this.#rows.countCodes(userId),
    }
  }

  /** @returns the users who need a code to sign in, and since when */
  list(): { userId: number; sinceMs: number }[] {
    return this.#rows.list()
  }

  /**
   * Makes a secret, which is not in use before `confirm`. A factor in use stays in use until then.
   *
   * @param issuer the name of the installation
   * @param host its host, which distinguishes installations of the same name
   */
  begin(user: { id: number; username: string }, issuer: string, host: string): SecondFactorDraft {
    const secret = newCodeSecret()
    this.#rows.setDraft(user.id, secret, Date.now())
    return { secret, uri: uriOf(secret, issuer, `${user.username}@${host}`) }
  }

  /**
   * Puts the secret of `begin` into use.
   *
   * @param code a code of it, which shows that the app has it
   * @returns the new recovery codes
   * @throws Fault expired (no secret waits any more), badRequest (the code is wrong)
   */
  confirm(userId: number, code: string): string[] {
    const nowMs = Date.now()
    const { draft = '', draftMs = 0 } = this.#rows.find(userId) ?? {}
    if (draft === '' || nowMs - draftMs > DRAFT_MS) throw draftExpired()
    const step = stepOf(draft, codeIn(code), nowMs)
    if (step === undefined) throw wrongCode()
    const codes = newRecoveryCodes()
    if (!this.#rows.confirm(userId, draft, step, codes.map(digestOfCode))) throw draftExpired()
    return codes
  }

  /** Whether a one-time code or a recovery code of a user is right. It is used up then. */
  accepts(userId: number, text: string): boolean {
    const stored = this.#rows.find(userId)
    if (!stored || stored.sinceMs === 0) return false
    const step = stepOf(stored.secret, codeIn(text), Date.now())
    if (step !== undefined) return this.#rows.claimStep(userId, step)
    const recoveryCode = readRecoveryCode(text)
    return recoveryCode !== undefined && this.#rows.claimCode(userId, digestOfCode(recoveryCode))
  }

  /**
   * Replaces the recovery codes.
   *
   * @throws Fault conflict (the user has no second factor)
   */
  renewRecoveryCodes(userId: number): string[] {
    if (!this.isOn(userId)) throw new Fault('conflict', 'The account has no second factor.')
    const codes = newRecoveryCodes()
    this.#rows.replaceCodes(userId, codes.map(digestOfCode))
    return codes
  }

  /** @returns whether there was one in use */
  remove(userId: number): boolean {
    return this.#rows.remove(userId)
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
  return new Fault('badRequest', 'The code is wrong.', { reason: 'codeWrong' })
}
