/**
 * People as one document, in File Browser's own form (contract 9.5): an array of users with the
 * hashes of their passwords.
 */
import { isTree, type Tree } from '#server/config/document.ts'
import type { StoredUser } from '#server/db/users.ts'
import { fieldsOf, turnNameOrder } from '#server/settings/dialect.ts'
import { Fault } from '#wire/fault.ts'
import { userShape } from '#wire/shapes.ts'
import { preferencesOf } from '#wire/user.ts'
import { isHash } from './passwords.ts'
import type { UserChanges } from './users.ts'

/** One person of a document. */
export interface ImportedUser {
  /** 0 where the document names none. */
  id: number
  username: string
  passwordHash: string
  changes: UserChanges
}

export function exportUsers(users: readonly StoredUser[]): Tree[] {
  return users.map((user) => ({
    id: user.id,
    username: user.username,
    password: user.passwordHash,
    scope: user.scope,
    lockPassword: user.lockPassword,
    perm: user.perm,
    commands: user.commands,
    rules: user.rules,
    ...preferencesOf(user),
    sorting: turnNameOrder(user.sorting),
  }))
}

/**
 * Reads a whole document before anything is changed.
 *
 * @throws Fault badRequest naming the user and the field
 */
export function readUsers(document: unknown): ImportedUser[] {
  if (!Array.isArray(document)) {
    throw new Fault('badRequest', 'The file needs a list of users, as `users export` writes it.')
  }
  return document.map((item, index) => readUser(item, `user ${index + 1}`))
}

function readUser(item: unknown, place: string): ImportedUser {
  const tree = isTree(item) ? fieldsOf(item, Object.keys(userShape.shape)) : {}
  // File Browser's older records leave the view or the order empty.
  if (tree.viewMode === '') delete tree.viewMode
  const parsed = userShape.safeParse(tree)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Fault('badRequest', `${place}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { id = 0, username = '', password = '', sorting, ...rest } = parsed.data
  if (!isHash(password)) {
    throw new Fault('badRequest', `${place} (${username}): password must be a hash`)
  }
  const order = sorting ? { sorting: turnNameOrder(sorting) } : {}
  // What the document leaves out is undefined in the shape, and absent in a change.
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { id, username, passwordHash: password, changes: { ...said, ...order } }
}
