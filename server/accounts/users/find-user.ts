/** Finds the user that an operator names on the command line. */
import type { StoredUser, UserRows } from '#server/db/rows/users.ts'
import { Fault } from '#wire/fault.ts'

/**
 * Finds a user by name or id. `name:3` and `id:3` distinguish a user called 3 from the user with id 3. They come before a
 * user whose name begins so, such as `id:3`.
 *
 * @throws Fault notFound; conflict if a number is the name of one user and the id of another
 */
export function findUserByNameOrId(rows: UserRows, nameOrId: string): StoredUser {
  const [, word, rest = ''] = /^(id|name):(.*)$/.exec(nameOrId) ?? []
  const digits = word === 'id' ? rest : nameOrId
  const byName = word === 'id' ? undefined : rows.findByName(word ? rest : nameOrId)
  const mayBeId = word !== 'name' && /^\d{1,15}$/.test(digits)
  const byId = mayBeId ? rows.find(Number(digits)) : undefined
  if (byName && byId && byName.id !== byId.id) {
    throw new Fault(
      'conflict',
      `${nameOrId} is the name of user ${byName.id} and the id of ${byId.username}. Write name:${nameOrId} or id:${nameOrId}.`,
    )
  }
  // A user may be called `id:3`.
  const user = byName ?? byId ?? rows.findByName(nameOrId)
  if (user) return user
  throw new Fault('notFound', `There is no user ${nameOrId}.`)
}
