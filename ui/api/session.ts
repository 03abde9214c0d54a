/** Signing in and out. Every answer that carries a token has already kept it. */
import { API } from '#wire/routes.ts'
import type { Credentials } from '#wire/session.ts'
import { request } from './request.ts'
import { dropToken, storeToken } from './token.ts'

/** @throws Fault wrongCredentials or forbidden for a wrong name or password, tooMany when throttled. */
export async function login(credentials: Credentials): Promise<string> {
  const body = JSON.stringify(credentials)
  return keep(
    await request(API.login, { method: 'POST', body, headers: JSON_BODY, anonymous: true }),
  )
}

/** @throws Fault usernameTaken or conflict, badRequest for a password that will not do. */
export async function signup(credentials: Credentials): Promise<void> {
  const body = JSON.stringify(credentials)
  await request(API.signup, { method: 'POST', body, headers: JSON_BODY, anonymous: true })
}

let renewal: Promise<string> | undefined

/** Trades the token for a new one; callers at the same time share one call. */
export function renew(): Promise<string> {
  renewal ??= request(API.renew, { method: 'POST' })
    .then(keep)
    .finally(() => {
      renewal = undefined
    })
  return renewal
}

/** Ends the session on the server and forgets the token, whether or not the server answers. */
export async function logout(): Promise<void> {
  try {
    await request(API.logout, { method: 'POST', quiet: true })
  } finally {
    dropToken()
  }
}

const JSON_BODY = { 'Content-Type': 'application/json' }

async function keep(response: Response): Promise<string> {
  const token = (await response.text()).trim()
  storeToken(token)
  return token
}
