/** What users may do with an entry, and why, for administrators. */
import * as api from '#ui/api/files/access.ts'
import type { AppPassword } from '#wire/api/app-passwords.ts'
import { listAppPasswords } from './app-passwords.ts'
import { listUsers } from './users.ts'

export const accessReasons = api.reasons

/** @returns the names of all users, and the app passwords in use */
export async function accessSubjects(): Promise<{
  usernames: string[]
  appPasswords: AppPassword[]
}> {
  const [users, appPasswords] = await Promise.all([listUsers(), listAppPasswords('all')])
  const isValid = ({ paused, expires, isLost }: AppPassword) =>
    !paused && !isLost && (expires === '' || Date.parse(expires) > Date.now())
  return {
    usernames: users.map(({ username }) => username),
    appPasswords: appPasswords.filter(isValid),
  }
}
