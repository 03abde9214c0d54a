/** Who is signed in. */
import { proxy } from 'valtio'
import { listenToRequests } from '#ui/api/request.ts'
import * as api from '#ui/api/session.ts'
import { currentToken, dropToken, readClaims } from '#ui/api/token.ts'
import { savePreferences } from '#ui/api/users.ts'
import { goTo, LOGIN } from '#ui/lib/location.ts'
import { TOKEN_STORAGE_KEY, type TokenUser } from '#wire/session.ts'
import type { Preferences } from '#wire/user.ts'
import { settings } from './settings.ts'

/** Why nobody is signed in any more. `left`: the person logged out. */
export type EndReason = 'left' | 'inactivity' | 'ended'

interface Session {
  user: TokenUser | null
  /** Undefined until a session has ended on this page. */
  endedBy: EndReason | undefined
}

export const session = proxy<Session>({ user: null, endedBy: undefined })

/** @throws Fault wrongCredentials, forbidden, tooMany, or unavailable */
export async function signIn(username: string, password: string, recaptcha = ''): Promise<void> {
  adopt(await api.login({ username, password, recaptcha }))
}

/** @throws Fault usernameTaken, badRequest */
export async function signUp(username: string, password: string): Promise<void> {
  await api.signup({ username, password })
  await signIn(username, password)
}

/**
 * The session at start-up: the stored token renewed; without one, an empty sign-in where the
 * instance needs no password. Nobody is signed in afterwards when neither works.
 */
export async function restoreSession(): Promise<void> {
  try {
    if (currentToken()) adopt(await api.renew())
    else if (!settings.LoginPage) await signIn('', '')
  } catch {
    // Without an answer the stored token still tells who this is; the pages show the failure.
    const token = currentToken()
    if (token) adopt(token)
  }
}

/** Logs out: the server ends the session, this page forgets it. */
export async function signOut(): Promise<void> {
  await api.logout().catch(() => undefined)
  endSession('left')
  if (settings.AuthMethod === 'noauth') location.reload()
  else if (settings.LogoutPage !== LOGIN) location.assign(settings.LogoutPage)
  else goTo(LOGIN)
}

/** Forgets the session. The guard then leads to the login page and keeps the way back. */
export function endSession(reason: EndReason): void {
  clearTimeout(expiry)
  dropToken()
  if (session.user) session.endedBy = reason
  session.user = null
}

/** Whether there is something to log out of: not without sign-in, nor when a proxy signs in (spec section 2). */
export function canSignOut(): boolean {
  if (settings.AuthMethod === 'noauth') return false
  return settings.AuthMethod !== 'proxy' || settings.LogoutPage !== LOGIN
}

/** Changes preferences at once and tells the server; it has the last word at the next renewal. */
export async function changePreferences(changes: Partial<Preferences>): Promise<void> {
  if (!session.user) return
  Object.assign(session.user, changes)
  await savePreferences(session.user.id, changes)
}

/** Hears of sessions that end or change elsewhere: on the server, or in another tab. */
export function watchSession(): void {
  listenToRequests({
    sessionLost: () => endSession('ended'),
    renewalWanted: () => api.renew().then(adopt, () => undefined),
  })
  window.addEventListener('storage', (event) => {
    if (event.key !== TOKEN_STORAGE_KEY) return
    if (event.newValue) adopt(event.newValue)
    else endSession('left')
  })
}

let expiry: ReturnType<typeof setTimeout> | undefined

/** The longest wait a timer can count, in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1

function adopt(token: string): void {
  const claims = readClaims(token)
  if (!claims) {
    endSession('ended')
    return
  }
  session.user = claims.user
  session.endedBy = undefined
  clearTimeout(expiry)
  const leftMs = claims.exp * 1000 - Date.now()
  if (leftMs < TIMER_MAX_MS) expiry = setTimeout(expire, Math.max(0, leftMs), claims.exp)
}

/** Ends at the token's end, unless another tab has a newer one. */
function expire(exp: number): void {
  const token = currentToken()
  const claims = token ? readClaims(token) : undefined
  if (token && claims && claims.exp > exp) adopt(token)
  else endSession('inactivity')
}
