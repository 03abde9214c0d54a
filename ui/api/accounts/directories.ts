/** Log-in with directories (docs/api.md 38). */
import type {
  DirectoryChange,
  DirectoryTest,
  LoginDirectory,
  ShownDirectory,
} from '#wire/api/directory.ts'
import { API } from '#wire/api/routes.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'

/** @throws Fault forbidden */
export function list(): Promise<LoginDirectory[]> {
  return requestJson(API.identityDirectories)
}

/** Adds or changes a directory. @throws Fault badRequest, conflict (the id is taken) */
export function save(
  directory: DirectoryChange,
  isNew: boolean,
  currentPassword: string,
): Promise<LoginDirectory> {
  const body = { directory, current_password: currentPassword }
  const url = isNew ? API.identityDirectories : `${API.identityDirectories}/${directory.id}`
  return requestJson(url, asJson(isNew ? 'POST' : 'PUT', body))
}

/** @throws Fault badRequest */
export async function remove(id: string, currentPassword: string): Promise<void> {
  const body = { current_password: currentPassword }
  await request(`${API.identityDirectories}/${id}`, asJson('DELETE', body))
}

/**
 * @param directory as it is typed; its id is empty for a new one
 * @param credentials with an empty password, the user is only looked for
 * @throws Fault badRequest, unprocessable, unavailable, tooMany
 */
export function test(
  { id, options, bindPassword }: DirectoryChange,
  credentials: { username: string; password: string },
): Promise<DirectoryTest> {
  const url = `${API.identityDirectories}/${encodeURIComponent(id || 'new')}/test`
  return requestJson(url, asJson('POST', { ...credentials, directory: { options, bindPassword } }))
}

/** @returns those that the user can link an account of */
export function linkable(): Promise<ShownDirectory[]> {
  return requestJson(API.identityLinkedDirectories)
}

/** @throws Fault badRequest (the own password), wrongCredentials (that of the directory), conflict, unavailable */
export async function link(
  directory: string,
  { username, password }: { username: string; password: string },
  currentPassword: string,
): Promise<void> {
  const body = { directory, username, password, current_password: currentPassword }
  await request(API.identityLinkedDirectories, asJson('POST', body))
}
