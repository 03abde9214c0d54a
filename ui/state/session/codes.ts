/** Codes of the second factor, or a passkey, which a sign-in or the confirmation of a change may need. */
import * as passkeys from '#ui/api/accounts/passkeys.ts'
import * as api from '#ui/api/accounts/second-factor.ts'
import { loginWithCode } from '#ui/api/accounts/session.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { requestPasskey } from '#ui/lib/page/web-authn.ts'
import type { CodeNeeded } from '#wire/api/second-factor.ts'
import { Fault, type FaultReason } from '#wire/fault.ts'
import { ask, type Factors } from '../dialogs/prompts.ts'
import { tokenByPasskey } from './passkey-token.ts'

/**
 * Finishes a sign-in.
 *
 * @param needed the response to the right password
 * @returns the token; undefined if the user cancelled
 * @throws Fault expired, tooMany, unavailable
 */
export function signInWithCode({ ticket, ...factors }: CodeNeeded): Promise<string | undefined> {
  return withCode(factors, (code) => loginWithCode(ticket, code), tokenByPasskey)
}

/**
 * Makes the password confirm changes for some minutes.
 *
 * @returns whether the user has sent a right code, or used a passkey
 * @throws Fault expired, tooMany, unavailable
 */
export async function verifyCode(currentPassword: string): Promise<boolean> {
  const { since, passkeyHosts } = await api.status()
  const isRight = await withCode(
    { app: since !== '', passkeyHosts },
    async (code) => {
      await api.verify(currentPassword, code)
      return true as const
    },
    async () => {
      const credential = await requestPasskey(await passkeys.verificationOptions())
      if (!credential) return undefined
      await passkeys.verify(currentPassword, credential)
      return true as const
    },
  )
  return isRight ?? false
}

/** After these, the user tries again. */
const REFUSALS: readonly (FaultReason | undefined)[] = [
  'codeWrong',
  'passkeyRefused',
  'passkeyUnknown',
  'passkeyElsewhere',
]

/**
 * Asks for a code or a passkey until one is right.
 *
 * @param byPasskey asks the browser for a passkey; undefined if the user cancelled that
 * @returns the result of `byCode` or `byPasskey`; undefined if the user cancelled
 */
async function withCode<Result>(
  factors: Factors,
  byCode: (code: string) => Promise<Result>,
  byPasskey: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let problem: string | undefined; ; ) {
    const answer = await ask({ name: 'code', ...factors, problem })
    if (answer === undefined) return undefined
    problem = undefined
    try {
      const result = await (answer === 'passkey' ? byPasskey() : byCode(answer.code))
      if (result !== undefined) return result
    } catch (error) {
      if (!(error instanceof Fault) || !REFUSALS.includes(error.reason)) throw error
      problem = faultText(error)
    }
  }
}
