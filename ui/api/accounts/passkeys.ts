/** Passkeys (docs/api.md 37). */
import type { CreationOptions, RequestOptions } from '#ui/lib/page/web-authn.ts'
import type { NewPasskey, PasskeyList } from '#wire/api/passkeys.ts'
import { API } from '#wire/api/routes.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns the passkeys of the user, and where they can be used */
export function list(): Promise<PasskeyList> {
  return requestJson(API.passkeys)
}

/** @throws Fault badRequest (the password is wrong, or a code is needed), conflict (not at this address), tooMany */
export function creationOptions(currentPassword: string): Promise<CreationOptions> {
  return requestJson(
    `${API.passkeys}/options`,
    asJson('POST', { current_password: currentPassword }),
  )
}

/** @throws Fault badRequest, expired, tooMany (there are too many) */
export function add(name: string, credential: object): Promise<NewPasskey> {
  return requestJson(API.passkeys, asJson('POST', { name, credential }))
}

/** @throws Fault badRequest (the name), notFound */
export async function rename(id: string, name: string): Promise<void> {
  await request(`${API.passkeys}/${id}`, asJson('PATCH', { name }))
}

/** @throws Fault badRequest (the password is wrong, or a code is needed), notFound, tooMany */
export async function remove(id: string, currentPassword: string): Promise<void> {
  await request(`${API.passkeys}/${id}`, asJson('DELETE', { current_password: currentPassword }))
}

/** @throws Fault conflict (not at this address) */
export function verificationOptions(): Promise<RequestOptions> {
  return requestJson(`${API.passkeys}/verify/options`, { method: 'POST' })
}

/**
 * Sends what a passkey has signed, so that the password confirms changes for some minutes.
 *
 * @throws Fault badRequest (the password is wrong, or the passkey is refused), expired, tooMany
 */
export async function verify(currentPassword: string, credential: object): Promise<void> {
  const body = { current_password: currentPassword, credential }
  await request(`${API.passkeys}/verify`, asJson('POST', body))
}

/** @throws Fault conflict (not at this address) */
export function signInOptions(): Promise<RequestOptions> {
  return requestJson(`${API.loginPasskey}/options`, { method: 'POST', anonymous: true })
}
