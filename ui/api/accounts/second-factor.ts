/** The second factor of accounts (docs/api.md 35). */
import { API } from '#wire/api/routes.ts'
import type {
  RecoveryCodes,
  SecondFactor,
  SecondFactorDraft,
  SecondFactorUser,
} from '#wire/api/second-factor.ts'
import { asJson } from '../client/as-json.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns whether the user signs in with a second factor */
export function status(): Promise<SecondFactor> {
  return requestJson(API.secondFactor)
}

/** @returns the users who sign in with one. @throws Fault forbidden */
export function users(): Promise<SecondFactorUser[]> {
  return requestJson(`${API.secondFactor}/users`)
}

/**
 * Makes a secret, which is not in use before `confirm`.
 *
 * @throws Fault badRequest (`currentPassword` is wrong, or a code is needed), tooMany
 */
export function begin(currentPassword: string): Promise<SecondFactorDraft> {
  return requestJson(API.secondFactor, asJson('POST', confirmation(currentPassword)))
}

/** @throws Fault badRequest (the code is wrong), expired */
export async function confirm(code: string): Promise<string[]> {
  const { codes } = await requestJson<RecoveryCodes>(
    `${API.secondFactor}/confirm`,
    asJson('POST', { code }),
  )
  return codes
}

/**
 * Sends a code, so that the password confirms changes for some minutes.
 *
 * @throws Fault badRequest (the password or the code is wrong), tooMany
 */
export async function verify(currentPassword: string, code: string): Promise<void> {
  const body = { ...confirmation(currentPassword), code }
  await request(`${API.secondFactor}/verify`, asJson('POST', body))
}

/** @throws as `begin` */
export async function renewRecoveryCodes(currentPassword: string): Promise<string[]> {
  const { codes } = await requestJson<RecoveryCodes>(
    `${API.secondFactor}/recovery-codes`,
    asJson('POST', confirmation(currentPassword)),
  )
  return codes
}

/**
 * Removes one's own second factor, or that of another user.
 *
 * @throws as `begin`; forbidden, notFound
 */
export async function remove(currentPassword: string, userId?: number): Promise<void> {
  const of = userId === undefined ? '' : `/users/${userId}`
  await request(`${API.secondFactor}${of}`, asJson('DELETE', confirmation(currentPassword)))
}

function confirmation(currentPassword: string) {
  return { current_password: currentPassword }
}
