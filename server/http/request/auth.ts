/**
 * Authentication of requests. A token in the header or the cookie, or a signed URL, identifies the session and its
 * user. The scope is the part of the file tree that the user may use.
 */

import type { Context } from 'hono'
import { requirePermission } from '#server/access/policy.ts'
import type { PresentedSecret } from '#server/accounts/app-passwords/app-password-access.ts'
import type { AuthContext } from '#server/accounts/credentials/sessions.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { JOURNAL_HEADER, RENEW_HEADER, TOKEN_COOKIE, TOKEN_HEADER } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT } from '#wire/paths.ts'
import type { AnyCall, Env, SessionRoute } from '../context/context.ts'
import { hasBasicCredentials, presentedSecret } from './app-password.ts'

/**
 * Requires a session or an app password, and the permission that a route needs. File operations check permissions again
 * in the scope.
 *
 * @throws Fault unauthenticated, forbidden (also if the user must set up a second factor first), tooMany
 */
export async function requireAuth(call: Context<Env>, route: SessionRoute): Promise<void> {
  const { app, signedUrl } = call.var
  const { needs, enrols = false } = route
  const secret = signedUrl ? undefined : presentedSecret(call.req)
  if (secret) return requireAppPassword(call, route, secret)
  const auth = signedUrl
    ? await app.sessions.authenticateSignedUrl(signedUrl)
    : await authContextOf(call)
  if (!auth) throw new Fault('unauthenticated', refusalWithout(call))
  call.set('auth', auth)
  const check = async (user: StoredUser) => {
    if (!enrols) await app.enforcement.refuseDue(user, auth.session)
    requireNeeds(user, needs)
  }
  await check(auth.user)
  const { id } = auth.session
  const currentUser = async () => (await app.sessions.userOf(id)) ?? sessionEnded()
  const client = cameFromBrowser(call) ? 'web' : 'api'
  call.set('scope', app.scopeOf(auth.user, currentUser, { session: id, client }))
  call.set('recheckAccess', async () => {
    await app.settings.refresh()
    await check(await currentUser())
  })
}

/** As `requireAuth`, for a request that has an app password. @throws as `requireAuth` */
async function requireAppPassword(
  call: Context<Env>,
  { needs, appPassword: use }: SessionRoute,
  secret: PresentedSecret,
): Promise<void> {
  const { app, address } = call.var
  const agent = call.req.header('user-agent') ?? ''
  const access = app.appPasswordAccess
  const auth = await access.authenticate(secret, { address, agent })
  call.set('auth', auth)
  const { appPassword } = auth
  const isUsable = use === 'any' || (use === 'wholeFolder' && appPassword.folder === ROOT)
  if (!isUsable) throw new Fault('forbidden', refusalOf(use))
  requireNeeds(auth.user, needs)
  const client = cameFromBrowser(call) ? 'web' : 'api'
  call.set('scope', await access.scopeOf(appPassword, client))
  call.set('recheckAccess', async () =>
    requireNeeds(await access.presentUser(appPassword.id), needs),
  )
}

/** Why a request without a session is refused. A program that sends a name and a password learns that they are not accepted. */
function refusalWithout(call: AnyCall): string {
  return hasBasicCredentials(call.req)
    ? 'The user name or the password is wrong. Programs sign in with an app password, not with the password of the account.'
    : 'Sign in first.'
}

function refusalOf(use: SessionRoute['appPassword']): string {
  return use === 'none'
    ? 'An app password cannot be used for this. Sign in with the password of the account.'
    : 'This needs an app password without a folder, or the password of the account.'
}

/** Adds the id of the last journal entry, by which the change can be undone, and whether to renew the token. */
export function setAuthHeaders({ var: { auth, scope }, res }: Context<Env>): void {
  const entry = scope?.entries.at(-1)
  if (entry !== undefined) res.headers.set(JOURNAL_HEADER, String(entry))
  if (auth?.shouldRenew && !res.headers.has(RENEW_HEADER)) res.headers.set(RENEW_HEADER, 'true')
}

/** @throws Fault forbidden (the user lacks the permission) */
function requireNeeds(user: StoredUser, needs: SessionRoute['needs']): void {
  if (needs !== 'session') requirePermission(user, needs)
}

/**
 * Whether a browser sent the request. Browsers send Fetch Metadata to HTTPS and localhost, and to all servers an Origin
 * with each method except GET and HEAD.
 */
export function cameFromBrowser({ req }: AnyCall): boolean {
  return req.header('sec-fetch-mode') !== undefined || req.header('origin') !== undefined
}

/** @throws Fault unauthenticated */
function sessionEnded(): never {
  throw new Fault('unauthenticated', 'The session ended during the request.')
}

/**
 * The token is read from the header for all methods, and from the cookie only for GET and HEAD, so that other sites
 * cannot make changes with it. It is never read from the URL, which appears in logs and referrers.
 */
export async function authContextOf(call: AnyCall): Promise<AuthContext | undefined> {
  const { sessions } = call.var.app
  const { address } = call.var
  const fromHeader = call.req.header(TOKEN_HEADER)
  const cookies = tokenCookies(call)
  const mayUseCookie = call.req.method === 'GET' || call.req.method === 'HEAD'
  const usesCookie = !looksLikeToken(fromHeader)
  const token = usesCookie ? (mayUseCookie ? cookies.find(looksLikeToken) : undefined) : fromHeader
  if (!looksLikeToken(token)) return undefined
  const auth = await sessions.authenticate(token, address)
  if (!auth) return undefined
  // File Browser's interface sets a second cookie and deletes it to sign out. If an earlier request of the session had
  // both cookies, and this one has only the server's, the user has signed out. Both cookies count only with the same
  // token, because two windows may have different ones.
  if (cookies.length > 1 && cookies.every((cookie) => cookie === token))
    sessions.recordOwnCookie(auth)
  const hasSignedOut = usesCookie && cookies.length === 1 && auth.session.hasOwnCookie
  return hasSignedOut ? undefined : auth
}

/**
 * @returns all cookies that may hold the token. The server's cookie is limited to the API and hidden from scripts.
 *   The interface of File Browser, whose API this server implements too, writes another one for all paths.
 */
function tokenCookies(call: AnyCall): string[] {
  const header = call.req.header('cookie')
  if (!header) return []
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs
    .filter((pair) => pair.startsWith(`${TOKEN_COOKIE}=`))
    .map((pair) => pair.slice(TOKEN_COOKIE.length + 1))
    .filter((value) => value !== '')
}

/** A text with two dots. */
const TOKEN = /^[^.]*\.[^.]*\.[^.]*$/

function looksLikeToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN.test(text)
}
