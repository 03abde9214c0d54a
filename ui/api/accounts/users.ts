/** Requests for user accounts (docs/api.md 1.12). */
import { API, queryString } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import type { ListedUser, Preferences, User } from '#wire/api/user.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'
import { storeToken } from '../client/token.ts'

/**
 * @returns all users, for administrators
 * @throws Fault forbidden
 */
export function list(): Promise<ListedUser[]> {
  return requestJson<ListedUser[]>(API.users)
}

/** @throws Fault notFound, forbidden */
export function read(id: number): Promise<User> {
  return requestJson<User>(`${API.users}/${id}`)
}

/**
 * Creates a user.
 *
 * @param currentPassword of the administrator
 * @returns the URL of the user's page in the app, from the response
 * @throws Fault badRequest (password, name, rules, permissions, or `currentPassword` is wrong), usernameTaken, conflict
 *   (the home folder belongs to another user), tooMany (wrong passwords), forbidden
 */
export async function create(user: User, currentPassword: string): Promise<string> {
  const envelope = { ...newUser(user), ...confirmation(currentPassword) }
  const response = await request(API.users, asJson('POST', envelope))
  return response.headers.get('Location') ?? ''
}

/**
 * Validates a new user, or a change of the user with `id`, without a password.
 *
 * @throws Fault badRequest (password, name, rules, permissions), forbidden, notFound, usernameTaken
 */
export async function check(id: number | undefined, changes: Partial<User>): Promise<void> {
  const query = queryString({ check: true })
  if (id === undefined) {
    await request(API.users + query, asJson('POST', newUser(changes)))
  } else await request(`${API.users}/${id}${query}`, asJson('PUT', changeOf(id, changes)))
}

/**
 * Changes the fields in `changes`. If it ends the own session, the response has the token of a new one.
 *
 * @param currentPassword of the signed-in user; only some fields require it (docs/decisions.md 9)
 * @throws Fault badRequest (a value is refused, or `currentPassword` is wrong), forbidden (the last administrator),
 *   notFound, usernameTaken
 */
export async function save(
  id: number,
  changes: Partial<User>,
  currentPassword = '',
): Promise<void> {
  const change = { ...changeOf(id, changes), ...confirmation(currentPassword) }
  const { headers } = await request(`${API.users}/${id}`, asJson('PUT', change))
  const token = headers.get(TOKEN_HEADER)
  if (token) storeToken(token)
}

/** Changes the given preferences of one's own account, even if the page is left at once. */
export async function savePreferences(id: number, changes: Partial<Preferences>): Promise<void> {
  await request(`${API.users}/${id}`, { ...asJson('PUT', changeOf(id, changes)), keepalive: true })
}

/**
 * Deletes a user; the files stay.
 *
 * @throws Fault badRequest (`currentPassword` is wrong), forbidden (the last administrator), notFound
 */
export async function remove(id: number, currentPassword: string): Promise<void> {
  await request(`${API.users}/${id}`, asJson('DELETE', confirmation(currentPassword)))
}

function newUser(user: Partial<User>) {
  return { what: 'user', which: [], data: { ...user, id: 0 } }
}

function changeOf(id: number, changes: Partial<User>) {
  return { what: 'user', which: Object.keys(changes), data: { ...changes, id } }
}

function confirmation(currentPassword: string) {
  return currentPassword === '' ? {} : { current_password: currentPassword }
}
