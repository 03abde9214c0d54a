/** Who is calling: token from the header or the cookie → actor and scope. */

import type { Context } from 'hono'
import { mustHold } from '#server/access/policy.ts'
import type { AuthContext } from '#server/accounts/sessions.ts'
import type { StoredUser } from '#server/db/users.ts'
import { Fault } from '#wire/fault.ts'
import { JOURNAL_HEADER } from '#wire/journal.ts'
import { RENEW_HEADER, TOKEN_COOKIE, TOKEN_HEADER } from '#wire/session.ts'
import type { AnyCall, Env, Needs } from './context.ts'

/**
 * Who is calling, asked in front of a handler. A live session is needed; a permission is asked for here and, for files,
 * once more at the scope.
 *
 * @throws Fault unauthenticated, forbidden
 */
export async function requireAuth(
  call: Context<Env>,
  needs: Exclude<Needs, 'anyone'>,
): Promise<void> {
  const { app, signedUrl } = call.var
  const auth = signedUrl ? app.sessions.authenticateSignedUrl(signedUrl) : await authContextOf(call)
  if (!auth) throw new Fault('unauthenticated', 'Sign in first.')
  call.set('auth', auth)
  mustHave(auth.user, needs)
  const { id } = auth.session
  const present = () => app.sessions.personOf(id) ?? endedMeanwhile()
  const client = cameFromBrowser(call) ? 'web' : 'api'
  call.set('scope', app.scopeOf(auth.user, present, { session: id, client }))
  call.set('still', () => mustHave(present(), needs))
}

/** Tells the client of the journal's entry of what it changed, and that its token should be renewed. */
export function setAuthHeaders({ var: { auth, scope }, res }: Context<Env>): void {
  const entry = scope?.entries.at(-1)
  if (entry !== undefined) res.headers.set(JOURNAL_HEADER, String(entry))
  if (auth?.renew && !res.headers.has(RENEW_HEADER)) res.headers.set(RENEW_HEADER, 'true')
}

/** @throws Fault forbidden */
function mustHave(user: StoredUser, needs: Exclude<Needs, 'anyone'>): void {
  if (needs !== 'session') mustHold(user, needs)
}

/** Browsers say of each request what it is for (Fetch Metadata); other programs say nothing. */
export function cameFromBrowser(call: AnyCall): boolean {
  return call.req.header('sec-fetch-mode') !== undefined
}

/** @throws Fault unauthenticated */
function endedMeanwhile(): never {
  throw new Fault('unauthenticated', 'The session ended during the request.')
}

/**
 * The token: the header for every method; the cookie only for GET and HEAD, so that no other site
 * can change anything with it. Never from the address, where logs and referrers would keep it.
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
  // Two windows of one browser may be one renewal apart: what counts is that the client writes one, too.
  if (cookies.length > 1 && cookies.every((cookie) => cookie === token))
    sessions.recordOwnCookie(auth)
  const hasSignedOut = usesCookie && cookies.length === 1 && auth.session.ownCookie
  return hasSignedOut ? undefined : auth
}

/**
 * Every cookie that may hold the token. The server's own is for the API alone and out of reach of
 * scripts; File Browser's interface writes another for all paths, and takes that away to sign out.
 */
function tokenCookies(call: AnyCall): string[] {
  const pairs = (call.req.header('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs
    .filter((pair) => pair.startsWith(`${TOKEN_COOKIE}=`))
    .map((pair) => pair.slice(TOKEN_COOKIE.length + 1))
    .filter((value) => value !== '')
}

function looksLikeToken(text: string | undefined): text is string {
  return text?.split('.').length === 3
}
