/** Sign-in, sign-up and sign-out. A function that gets a session token stores it before its promise resolves. */

import { LOGOUT_HEADER } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import type { CodeNeeded } from '#wire/api/second-factor.ts'
import type { Credentials } from '#wire/api/session.ts'
import { Fault, type FaultReason, isFault } from '#wire/fault.ts'
import { request } from '../client/request.ts'
import { dropToken, readClaims, storeToken } from '../client/token.ts'

/** @throws Fault wrongCredentials or forbidden for a wrong name or password, tooMany if throttled, unavailable */
export function login(credentials: Credentials): Promise<string | CodeNeeded> {
  return tokenOrTicket(API.login, credentials)
}

/** @throws Fault wrongCredentials (the code is wrong), expired, tooMany, unavailable */
export async function loginWithCode(ticket: string, code: string): Promise<string> {
  return storeTokenFrom(await postForm(API.loginCode, { ticket, code }))
}

/** @throws Fault wrongCredentials (with a reason), expired, tooMany, unavailable */
export async function loginWithPasskey(credential: object): Promise<string> {
  return storeTokenFrom(await postForm(API.loginPasskey, { credential }))
}

/** @throws Fault usernameTaken or conflict, badRequest for a password that is not accepted */
export async function signup(credentials: Credentials): Promise<void> {
  await postForm(API.signup, credentials)
}

/**
 * Signs in with the checked response of a provider, once.
 *
 * @throws Fault expired, forbidden with a reason that begins with `identity`
 */
export async function loginWithProvider(flow: string): Promise<string> {
  return storeTokenFrom(await postForm(API.identityFinish, { flow }))
}

/**
 * Sets the password of an invited account, once, and signs in.
 *
 * @throws Fault notFound for an expired or used invitation, badRequest for a password that is not accepted, tooMany
 */
export function acceptInvitation(token: string, password: string): Promise<string | CodeNeeded> {
  return tokenOrTicket(API.acceptInvitation, { token, password })
}

/** Sends a sign-in without a session. The response to a right password may ask for a code. */
async function tokenOrTicket(url: string, form: object): Promise<string | CodeNeeded> {
  try {
    return await storeTokenFrom(await postForm(url, form))
  } catch (error) {
    if (!isFault(error, 'unauthenticated') || !ASKING.includes(error.reason)) throw error
    // The body of these responses is JSON.
    const needed = JSON.parse(error.message) as CodeNeeded
    if (error.reason === 'codeNeeded') return needed
    // A second factor must be set up first, in a session that can do nothing else.
    return storeTokenFrom(await postForm(API.loginEnrol, { ticket: needed.ticket }))
  }
}

const ASKING: readonly (FaultReason | undefined)[] = ['codeNeeded', 'factorDue']

function postForm(url: string, form: object): Promise<Response> {
  const body = JSON.stringify(form)
  return request(url, { method: 'POST', body, headers: JSON_BODY, anonymous: true })
}

let renewal: Promise<string> | undefined

/** Replaces the session token by a new one. Concurrent callers share one request. */
export function renew(): Promise<string> {
  renewal ??= request(API.renew, { method: 'POST' })
    .then(storeTokenFrom)
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

/**
 * Ends the session on the server and deletes the token, whether or not the server responds.
 *
 * @returns where the log-out continues at a provider; null if it does not
 */
export async function logout(): Promise<string | null> {
  try {
    const response = await request(API.logout, { method: 'POST', withoutSignIn: true })
    return response.headers.get(LOGOUT_HEADER)
  } finally {
    dropToken()
  }
}

const JSON_BODY = { 'Content-Type': 'application/json' }

/** @throws Fault unavailable if the response is not a token: a proxy may answer every request with a page of its own */
async function storeTokenFrom(response: Response): Promise<string> {
  const token = (await response.text()).trim()
  if (!readClaims(token)) throw new Fault('unavailable', 'The response contains no session token.')
  storeToken(token)
  return token
}
