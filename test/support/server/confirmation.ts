/** What a user sends to confirm a change: the current password. */
import { DirectorySignIn } from '#server/accounts/directory/directory-sign-in.ts'
import type { Confirmation } from '#server/accounts/users/confirmations.ts'
import type { Core } from '#server/core.ts'
import type { StoredUser } from '#server/db/rows/users.ts'

const ADDRESS = '192.0.2.1'

export function confirmationBy(
  { users }: Pick<Core, 'users'>,
  by: Pick<StoredUser, 'id'>,
  password: string,
): Confirmation {
  const session = {
    id: 'session',
    userId: by.id,
    createdMs: 0,
    seenMs: 0,
    expiresMs: Number.MAX_SAFE_INTEGER,
    address: ADDRESS,
    agent: '',
    hasOwnCookie: false,
    verifiedMs: 0,
  }
  return {
    password,
    address: ADDRESS,
    session,
    findCurrentUser: () => users.find(by.id),
  }
}

/** As of a server without directories: it asks none of its services. */
export const NO_DIRECTORIES = new DirectorySignIn({} as never, false)
