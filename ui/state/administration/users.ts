/** User administration. */
import * as settingsApi from '#ui/api/accounts/settings.ts'
import * as api from '#ui/api/accounts/users.ts'
import { changesBetween, refuseConflicts } from '#ui/lib/accounts/changes.ts'
import { isGuarded } from '#ui/lib/accounts/user-changes.ts'
import { withoutBase } from '#ui/lib/page/location.ts'
import type { ListedUser, User } from '#wire/api/user.ts'
import { ask } from '../dialogs/prompts.ts'
import { withPassword } from '../session/reauth.ts'
import { endSession, replacingSession, session } from '../session/session.ts'

/** A user for the form, and the settings of the server that the form needs. */
export interface EditedUser {
  user: User
  /** Whether new users can be given a home folder. */
  createsHomeFolder: boolean
}

/**
 * @returns all users
 * @throws Fault forbidden, unavailable
 */
export function listUsers(): Promise<ListedUser[]> {
  return api.list()
}

/** @throws Fault notFound, forbidden, unavailable */
export async function userToEdit(id: number): Promise<EditedUser> {
  return { user: await api.read(id), createsHomeFolder: false }
}

/** @returns a new user with the defaults of the settings (docs/specification.md 4) */
export async function userToCreate(): Promise<EditedUser> {
  const { defaults, createUserDir } = await settingsApi.read()
  const user = {
    ...defaults,
    id: 0,
    username: '',
    password: '',
    lockPassword: false,
    rules: [],
  }
  return { user, createsHomeFolder: createUserDir }
}

/**
 * Creates a user.
 *
 * @returns the URL of the new user's page; undefined if the administrator cancelled
 * @throws Fault badRequest (password, name, rules, permissions), usernameTaken, conflict (the home folder belongs to
 *   another user)
 */
export async function createUser(user: User): Promise<string | undefined> {
  let location = ''
  const done = await withPassword(
    () => api.check(undefined, user),
    async (password) => {
      location = await api.create(user, password)
    },
  )
  return done === undefined ? undefined : withoutBase(location)
}

/**
 * Saves the changes. A user who changes their own rights stays signed in.
 *
 * @returns the user as stored by the server, or as sent, if the user was saved and cannot be read; undefined if it was
 *   cancelled
 * @throws Fault badRequest, forbidden (the last administrator), notFound, usernameTaken
 */
export async function saveUser(before: User, after: User): Promise<User | undefined> {
  const changes = changesBetween(before, after)
  refuseConflicts(changes, changesBetween(before, await api.read(after.id)))
  const readSaved = () => api.read(after.id).catch(() => ({ ...after, password: '' }))
  const isSelf = after.id === session.user?.id
  // A change that ends the sessions of this user replaces this one (docs/decisions.md 7).
  const save = (password: string) => {
    const saving = api.save(after.id, changes, password)
    return isSelf ? replacingSession(saving) : saving
  }
  if (!isGuarded(changes)) {
    await save('')
    if (isSelf && session.user) session.user = { ...session.user, ...changes }
    return readSaved()
  }
  const password = await withPassword(() => api.check(after.id, changes), save)
  return password === undefined ? undefined : readSaved()
}

/**
 * Deletes a user after a question. A user who deletes their own account is signed out.
 *
 * @returns true if the user was deleted; false if the administrator cancelled
 * @throws Fault forbidden (the last administrator)
 */
export async function removeUser({ id, username }: User): Promise<boolean> {
  const done = await withPassword(
    async () => undefined,
    (password) => api.remove(id, password),
    (isWrong) => ask({ name: 'deleteUser', username, isWrong }),
  )
  if (done === undefined) return false
  if (id === session.user?.id) endSession('left')
  return true
}
