/** The session: who is signed in. */

import { proxy } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/accounts/session.ts'
import { savePreferences } from '#ui/api/accounts/users.ts'
import { listenToRequests } from '#ui/api/client/request.ts'
import { currentToken, dropToken, readClaims } from '#ui/api/client/token.ts'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { goTo, LOGIN } from '#ui/lib/page/location.ts'
import type { CodeNeeded } from '#wire/api/second-factor.ts'
import { TOKEN_STORAGE_KEY, type TokenUser } from '#wire/api/session.ts'
import type { Preferences } from '#wire/api/user.ts'
import { isPageGuarded } from '../dialogs/navigation-guard.ts'
import { answer, ask, prompts } from '../dialogs/prompts.ts'
import { settings } from './settings.ts'

/** Why the session has ended. `left`: the user signed out. `ended`: the server no longer accepts the token. */
export type EndReason = 'left' | 'inactivity' | 'ended'

interface Session {
  user: TokenUser | null
  /** Undefined until a session has ended on this page. */
  endedBy: EndReason | undefined
  /** Whether the user must set up a second factor before anything else. */
  mustEnrol: boolean
}

export const session = proxy<Session>({ user: null, endedBy: undefined, mustEnrol: false })

/**
 * Calls `listener` after another user has signed in, or the user has signed out. What one user loaded must not be
 * shown to the next. New rights or preferences of the same user do not count.
 *
 * @returns a function that ends the calls
 */
export function onUserChange(listener: (user: TokenUser | null) => void): () => void {
  let id = session.user?.id
  return subscribeKey(session, 'user', (user) => {
    if (user?.id === id) return
    id = user?.id
    listener(user)
  })
}

/**
 * Signs in with a password; if the account has a second factor, the user is asked for a code.
 *
 * @returns false if the user entered no code
 * @throws Fault wrongCredentials, forbidden, tooMany (failed attempts), unavailable, expired
 */
export async function signIn(username: string, password: string, recaptcha = ''): Promise<boolean> {
  return finishSignIn(await api.login({ username, password, recaptcha }))
}

/** Signs in with the checked response of a provider. @throws Fault expired, forbidden */
export async function signInWithProvider(flow: string): Promise<void> {
  applyToken(await api.loginWithProvider(flow))
}

/** Creates an account, without a sign-in. @throws Fault usernameTaken, conflict, badRequest */
export async function signUp(username: string, password: string): Promise<void> {
  await api.signup({ username, password })
}

/**
 * Sets the password of an invited account, and signs in.
 *
 * @returns false if the account has a second factor, and the user entered no code
 * @throws Fault notFound (expired or already used), badRequest (the password is refused), tooMany (attempts)
 */
export async function acceptInvitation(token: string, password: string): Promise<boolean> {
  return finishSignIn(await api.acceptInvitation(token, password))
}

/**
 * @param answer the token of a new session, or what it still needs
 * @returns false if the user entered no code
 */
export async function finishSignIn(answer: string | CodeNeeded): Promise<boolean> {
  const token =
    typeof answer === 'string'
      ? answer
      : await import('./codes.ts').then(({ signInWithCode }) => signInWithCode(answer))
  if (token === undefined) return false
  applyToken(token)
  return true
}

/**
 * Signs the same user in again without leaving the page, after the session has expired: with the password, or by
 * another login method of the server. Concurrent callers share one dialog.
 *
 * @returns true if the same user is signed in again; false if the user cancelled, or no user was signed in: the guard
 *   then shows the login page
 */
export async function signInAgain(): Promise<boolean> {
  if (replacing && (await replacing)) return true
  signingIn ??= requestSignIn().finally(() => {
    signingIn = undefined
  })
  return signingIn
}

/** Resolves to whether a change of the own account, which may replace the session, has succeeded. */
let replacing: Promise<boolean> | undefined

/** While such a change runs, requests with the ended session wait for the new one. */
export async function replacingSession(change: Promise<void>): Promise<void> {
  replacing = change.then(
    () => true,
    () => false,
  )
  try {
    await change
    const token = currentToken()
    if (token) applyToken(token)
  } finally {
    replacing = undefined
  }
}

/** The running sign-in, which concurrent callers share. */
let signingIn: Promise<boolean> | undefined

async function requestSignIn(): Promise<boolean> {
  const { user } = session
  const isSignedIn =
    user &&
    (settings.LoginPage
      ? await ask({ name: 'signIn', username: user.username })
      : await signIn('', '').catch(() => false))
  if (isSignedIn) return session.user?.id === user.id
  endSession('ended')
  return false
}

/**
 * Restores the session at start-up: renews the stored token; without one, it signs in with empty credentials if the
 * server needs no password. If neither works, no user is signed in.
 */
export async function restoreSession(): Promise<void> {
  try {
    if (currentToken()) applyToken(await api.renew())
    else if (!settings.LoginPage) await signIn('', '')
  } catch {
    // Without a response, the stored token still identifies the user, and the pages show the failure.
    const token = currentToken()
    if (token) applyToken(token)
  }
}

/** Signs out: ends the session on the server and clears it here. */
export async function signOut(): Promise<void> {
  const address = await api.logout().catch(() => null)
  endSession('left')
  if (address) location.assign(address)
  else if (settings.AuthMethod === 'noauth') location.reload()
  else if (settings.LogoutPage !== LOGIN) location.assign(settings.LogoutPage)
  else goTo(LOGIN)
}

/** Clears the session. The guard then redirects to the login page and remembers the URL. */
export function endSession(reason: EndReason): void {
  clearTimeout(expiry)
  dropToken()
  changed = {}
  confirmed = {}
  if (session.user) session.endedBy = reason
  session.user = null
  session.mustEnrol = false
}

/** The user has set up the second factor: the page goes on. */
export function endEnrolment(): void {
  session.mustEnrol = false
}

/**
 * Whether signing out is possible: not on a server without sign-in, nor if a proxy authenticates
 * (docs/specification.md 2).
 */
export function canSignOut({ AuthMethod, LogoutPage }: typeof settings): boolean {
  if (AuthMethod === 'noauth') return false
  return AuthMethod !== 'proxy' || LogoutPage !== LOGIN
}

/** Changed preferences that the next token may not contain. */
let changed: Partial<Preferences> = {}
/** Those of them that the server has confirmed. */
let confirmed: Partial<Preferences> = {}
/** The last request of the queue that saves preferences; it never rejects. */
let saving: Promise<void> = Promise.resolve()

/**
 * Changes preferences at once and saves them on the server, one request after the other. A refused change is
 * reverted.
 *
 * @throws Fault badRequest (a value that the server does not accept), unavailable
 */
export async function changePreferences(changes: Partial<Preferences>): Promise<void> {
  const before = session.user
  if (!before) return
  session.user = { ...before, ...changes }
  changed = { ...changed, ...changes }
  const saved = saving.then(() => savePreferences(before.id, changes))
  saving = saved.catch(() => undefined)
  try {
    await saved
    confirmed = { ...confirmed, ...changes }
  } catch (error) {
    // A later change of the same preference stays.
    const keys = (Object.keys(changes) as (keyof Preferences)[]).filter(
      (key) => changed[key] === changes[key],
    )
    changed = without(changed, changes)
    const old: Partial<Preferences> = Object.fromEntries(keys.map((key) => [key, before[key]]))
    if (session.user?.id === before.id) assign(session.user, old)
    throw error
  }
}

/** @returns the preferences whose values are not those of `others` */
function without(
  preferences: Partial<Preferences>,
  others: Partial<Preferences>,
): Partial<Preferences> {
  const rest = Object.entries(preferences).filter(
    ([key, value]) => Reflect.get(others, key) !== value,
  )
  return Object.fromEntries(rest)
}

/** Follows sessions that end or change on the server or in another tab. */
export function watchSession(): void {
  listenToRequests({
    onSessionLost: signInAgain,
    onRenewalWanted: renewSession,
    onFactorDue: () => {
      session.mustEnrol = true
    },
  })
  window.addEventListener('storage', (event) => {
    if (event.key !== TOKEN_STORAGE_KEY) return
    if (event.newValue) applyToken(event.newValue)
    else endSession('left')
    for (const { id, question } of [...prompts.stack]) {
      if (question.name === 'signIn') answer(id, event.newValue ? true : undefined)
    }
  })
}

/** The running renewal, and the one after it. */
let renewing: Promise<void> = Promise.resolve()
let nextRenewal: Promise<void> | undefined

/**
 * Renews the session, with the rights of this moment. If the server has ended it, the user is asked to log in. The
 * token of a renewal that runs already may be outdated, so another one follows it.
 */
export function renewSession(): Promise<void> {
  nextRenewal ??= renewing.then(() => {
    nextRenewal = undefined
    const contained = confirmed
    renewing = api.renew().then(
      (token) => {
        changed = without(changed, contained)
        applyToken(token)
      },
      () => undefined,
    )
    return renewing
  })
  return nextRenewal
}

/** Ends the session when its token expires. */
let expiry: ReturnType<typeof setTimeout> | undefined

/** Signs in the user whom the token names. */
function applyToken(token: string): void {
  const claims = readClaims(token)
  if (!claims) {
    endSession('ended')
    return
  }
  // A token that was requested before a change was saved does not contain the change.
  session.user = claims.user.id === session.user?.id ? { ...claims.user, ...changed } : claims.user
  session.endedBy = undefined
  clearTimeout(expiry)
  const leftMs = claims.exp * 1000 - Date.now()
  if (leftMs < UI_LIMITS.timerMaxMs) expiry = setTimeout(expire, Math.max(0, leftMs), claims.exp)
}

/**
 * Ends the session, because its token has expired. If another tab has a newer token, that one is used instead. If the
 * page has unsaved changes, the user is asked to sign in again.
 *
 * @param exp when the token expired, in seconds since 1970
 */
function expire(exp: number): void {
  const token = currentToken()
  const claims = token ? readClaims(token) : undefined
  if (token && claims && claims.exp > exp) applyToken(token)
  else if (isPageGuarded()) void signInAgain()
  else endSession('inactivity')
}
