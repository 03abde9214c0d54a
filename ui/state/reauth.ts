/** Reauthentication: asks for one's own password again if the server requires it (docs/decisions.md 9). */
import { isFault } from '#wire/fault.ts'
import { ask } from './prompts.ts'
import { settings } from './settings.ts'

/** Only a user who signs in with a password has one. */
export function hasPassword(): boolean {
  return settings.AuthMethod === 'json'
}

/**
 * Calls `submit` with the password that `question` returns, and asks again as long as it is wrong.
 *
 * @param check throws for errors that a password does not fix, before anybody is asked
 * @param question undefined cancels
 * @returns the correct password, empty if the account has none; undefined if it was cancelled
 * @throws the errors of `check` and `submit`, except for a wrong password
 */
export async function withPassword(
  check: () => Promise<void>,
  submit: (password: string) => Promise<void>,
  question: (wrong: boolean) => Promise<string | undefined> = askPassword,
): Promise<string | undefined> {
  if (hasPassword()) await check()
  for (let wrong = false; ; wrong = true) {
    const password = await question(wrong)
    if (password === undefined) return undefined
    try {
      await submit(password)
      return password
    } catch (error) {
      if (!isWrongPassword(error)) throw error
    }
  }
}

async function askPassword(wrong: boolean): Promise<string | undefined> {
  return hasPassword() ? ask({ name: 'currentPassword', wrong }) : ''
}

function isWrongPassword(error: unknown): boolean {
  return isFault(error, 'badRequest') && error.reason === 'currentPasswordWrong'
}
