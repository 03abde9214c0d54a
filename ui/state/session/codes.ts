/** Codes of the second factor, which a sign-in or the confirmation of a change may need. */
import * as api from '#ui/api/accounts/second-factor.ts'
import { loginWithCode } from '#ui/api/accounts/session.ts'
import { Fault } from '#wire/fault.ts'
import { ask } from '../dialogs/prompts.ts'

/**
 * Finishes a sign-in.
 *
 * @param ticket of the response to the right password
 * @returns the token; undefined if the user cancelled
 * @throws Fault expired, tooMany, unavailable
 */
export function signInWithCode(ticket: string): Promise<string | undefined> {
  return withCode((code) => loginWithCode(ticket, code))
}

/**
 * Makes the password confirm changes for some minutes.
 *
 * @returns whether the user has sent a right code
 * @throws Fault tooMany, unavailable
 */
export async function verifyCode(currentPassword: string): Promise<boolean> {
  const isRight = await withCode(async (code) => {
    await api.verify(currentPassword, code)
    return true as const
  })
  return isRight ?? false
}

/** Asks for codes until one is right. @returns the result of `submit`; undefined if the user cancelled */
async function withCode<Result>(
  submit: (code: string) => Promise<Result>,
): Promise<Result | undefined> {
  for (let isWrong = false; ; isWrong = true) {
    const code = await ask({ name: 'code', isWrong })
    if (code === undefined) return undefined
    try {
      return await submit(code)
    } catch (error) {
      if (!(error instanceof Fault) || error.reason !== 'codeWrong') throw error
    }
  }
}
