/** Requests for app passwords. */
import type { AppPassword, AppPermission, NewAppPassword } from '#wire/api/app-passwords.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'

/** What a new app password is for, and what it allows. */
export interface AppPasswordRequest {
  name: string
  /** May be empty. */
  application: string
  permissions: readonly AppPermission[]
  folder: string
  /** RFC 3339; empty: it does not end. */
  expires: string
}

/**
 * @returns one's own, the newest first; with `ofAllUsers`, for administrators, those of all users
 * @throws Fault forbidden
 */
export function list(ofAllUsers = false): Promise<AppPassword[]> {
  const all = ofAllUsers || undefined
  return requestJson<AppPassword[]>(API.appPasswords + queryString({ all }))
}

/**
 * @param currentPassword of the user; empty if the account has none
 * @throws Fault badRequest (a value is refused, or `currentPassword` is wrong), notFound, notDirectory, forbidden, tooMany
 */
export function create(
  fields: AppPasswordRequest,
  currentPassword: string,
): Promise<NewAppPassword> {
  const body = { ...fields, current_password: currentPassword }
  return requestJson<NewAppPassword>(API.appPasswords, asJson('POST', body))
}

/** @throws Fault notFound if it was removed */
export async function setPaused(id: number, paused: boolean): Promise<void> {
  await request(`${API.appPasswords}/${id}`, asJson('PATCH', { paused }))
}

/** @throws Fault notFound if it was removed already */
export async function remove(id: number): Promise<void> {
  await request(`${API.appPasswords}/${id}`, { method: 'DELETE' })
}

/** Removes all of one's own. */
export async function removeAll(): Promise<void> {
  await request(API.appPasswords, { method: 'DELETE' })
}
