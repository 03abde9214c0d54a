/** Saying one's own password once more, where the server wants to hear it (docs/decisions.md 9). */
import { isFault } from '#wire/fault.ts'
import { ask } from './prompts.ts'
import { settings } from './settings.ts'

/** Only whoever signs in with a password has one to say. */
export function hasPassword(): boolean {
  return settings.AuthMethod === 'json'
}

/**
 * Does `act` with the password that `question` brings, and asks again for as long as it is wrong.
 *
 * @param check refuses what no password mends: nobody says theirs in vain
 * @param question undefined cancels
 * @returns the password that was right, empty where there is none; undefined when it was cancelled
 * @throws what `check` and `act` throw, but for a wrong password
 */
export async function withPassword(
  check: () => Promise<void>,
  act: (password: string) => Promise<void>,
  question: (wrong: boolean) => Promise<string | undefined> = askPassword,
): Promise<string | undefined> {
  if (hasPassword()) await check()
  for (let wrong = false; ; wrong = true) {
    const password = await question(wrong)
    if (password === undefined) return undefined
    try {
      await act(password)
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
