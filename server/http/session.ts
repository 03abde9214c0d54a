/** Who is calling: token from the header or the cookie → actor and scope. */
import type { MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Entrance } from '#server/accounts/sessions.ts'
import { Fault } from '#wire/fault.ts'
import { RENEW_HEADER, TOKEN_COOKIE, TOKEN_HEADER } from '#wire/session.ts'
import type { Call, Env, Needs } from './context.ts'

/**
 * The door in front of a handler. Everything but `anyone` needs a live session; a permission is asked
 * for here and, for files, once more at the scope.
 *
 * @throws Fault unauthenticated, forbidden
 */
export function door(needs: Needs): MiddlewareHandler<Env> {
  return async (call, next) => {
    if (needs !== 'anyone') {
      const { app, pass } = call.var
      const entrance = pass ? app.sessions.enterByPass(pass) : await entranceOf(call)
      if (!entrance) throw new Fault('unauthenticated', 'Sign in first.')
      call.set('entrance', entrance)
      const { perm } = entrance.user
      if (needs !== 'session' && !perm.admin && !perm[needs]) {
        throw new Fault('forbidden', 'You may not do this.')
      }
      const { id } = entrance.session
      call.set(
        'scope',
        app.scopeOf(entrance.user, () => app.sessions.personOf(id) ?? endedMeanwhile()),
      )
    }
    await next()
    if (call.var.entrance?.renew && !call.res.headers.has(RENEW_HEADER)) {
      call.res.headers.set(RENEW_HEADER, 'true')
    }
  }
}

/** @throws Fault unauthenticated */
function endedMeanwhile(): never {
  throw new Fault('unauthenticated', 'The session ended before the request did.')
}

/**
 * The token: the header for every method; the cookie only for GET and HEAD, so that no other site
 * can change anything with it. Never from the address, where logs and referrers would keep it.
 */
export async function entranceOf(call: Call): Promise<Entrance | undefined> {
  const fromHeader = call.req.header(TOKEN_HEADER)
  const mayUseCookie = call.req.method === 'GET' || call.req.method === 'HEAD'
  const token = looksLikeToken(fromHeader)
    ? fromHeader
    : mayUseCookie
      ? getCookie(call, TOKEN_COOKIE)
      : undefined
  if (!looksLikeToken(token)) return undefined
  return call.var.app.sessions.enter(token, call.var.address)
}

function looksLikeToken(text: string | undefined): text is string {
  return text?.split('.').length === 3
}
