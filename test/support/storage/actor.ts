/** The actor of a user who sees the whole tree, without rules. */
import type { StoredUser } from '#server/db/rows/users.ts'
import { ROOT } from '#wire/paths.ts'

export function actorOf({ id, username, perm }: Pick<StoredUser, 'id' | 'username' | 'perm'>) {
  return { id, username, perm, scope: ROOT, rulesFrom: [ROOT], rules: [], hideDotfiles: false }
}
