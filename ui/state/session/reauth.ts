/** Reauthentication: asks for one's own password, and a code, again if the server requires it (docs/decisions.md 9). */
import { currentToken, readClaims } from '#ui/api/client/token.ts'
import { isFault } from '#wire/fault.ts'
import { ask } from '../dialogs/prompts.ts'
import { settings } from './settings.ts'

/** Whether users of this server sign in with a password, which can then be asked for. */
export function hasPassword(): boolean {
  return settings.AuthMethod === 'json'
}

/**
 * Calls `submit` with the password that `question` returns, and asks again as long as it is wrong.
 *
 * @param check validates the change without a password, so that no password is asked for an invalid change
 * @param question asks for the password; `isWrong`: the previous one was wrong; undefined cancels
 * @returns the correct password, empty if the account has none; undefined if it was cancelled
 * @throws the errors of `check` and `submit`, except for a wrong password
 */
export async function withPassword(
  check: () => Promise<void>,
  submit: (password: string) => Promise<void>,
  question: (isWrong: boolean) => Promise<string | undefined> = askPassword,
): Promise<string | undefined> {
  if (hasPassword()) await check()
  if (isAtProvider() && (await isConfirmed(submit))) return ''
  for (let isWrong = false; ; isWrong = true) {
    const password = await question(isWrong)
    if (password === undefined) return undefined
    try {
      return (await submitted(submit, password)) ? password : undefined
    } catch (error) {
      if (!isWrongPassword(error)) throw error
    }
  }
}

/** Whether a provider has signed the user in: for some minutes, that stands for the own password. */
function isAtProvider(): boolean {
  const token = currentToken()
  return token !== null && readClaims(token)?.atProvider === true
}

/** Calls `submit` without a password. @returns false if the server wants the password */
async function isConfirmed(submit: (password: string) => Promise<void>): Promise<boolean> {
  try {
    await submit('')
    return true
  } catch (error) {
    if (isWrongPassword(error)) return false
    throw error
  }
}

/**
 * Makes a request that needs the own password.
 *
 * @returns its result; undefined if the user cancelled
 * @throws the errors of `submit`, except for a wrong password
 */
export async function confirmed<Result>(
  submit: (password: string) => Promise<Result>,
): Promise<Result | undefined> {
  let result: Result | undefined
  await withPassword(
    async () => undefined,
    async (password) => {
      result = await submit(password)
    },
  )
  return result
}

/**
 * Calls `submit`; if the server wants a code of the second factor first, the user is asked for it.
 *
 * @returns false if the user cancelled
 */
async function submitted(
  submit: (password: string) => Promise<void>,
  password: string,
): Promise<boolean> {
  try {
    await submit(password)
    return true
  } catch (error) {
    if (!isFault(error, 'badRequest') || error.reason !== 'codeNeeded') throw error
  }
  const { verifyCode } = await import('./codes.ts')
  if (!(await verifyCode(password))) return false
  await submit(password)
  return true
}

async function askPassword(isWrong: boolean): Promise<string | undefined> {
  return hasPassword() ? ask({ name: 'currentPassword', isWrong }) : ''
}

function isWrongPassword(error: unknown): boolean {
  return isFault(error, 'badRequest') && error.reason === 'currentPasswordWrong'
}
