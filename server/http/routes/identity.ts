/** Log-in with OpenID Connect providers (docs/api.md 36). */
import { generateCookie } from 'hono/cookie'
import { parse as parseCookies } from 'hono/utils/cookie'
import { z } from 'zod'
import { FLOW_MS, LOGIN_PAGE, type NewFlow, type Purpose } from '#server/accounts/identity/flows.ts'
import { networkPrefix } from '#server/lib/network.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { API } from '#wire/api/routes.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import * as shapes from '#wire/shapes/identity-shapes.ts'
import { removalShape } from '#wire/shapes/shapes.ts'
import type { AnyCall, Route } from '../context/context.ts'
import { asFault } from '../context/faults.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { anonymousForm, anonymousText, jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'
import { signedInResponse } from './session.ts'

/** Characters of the page to return to. */
const RETURN_MAX = 2000

const CONFIRMED = {
  400: 'the current password is wrong, or a code is needed',
  405: 'users of this server do not sign in with a password',
  429: 'the current password was wrong too often',
  503: 'too many requests are waiting',
}

const TO_INTERFACE =
  'redirects to the interface; a problem is named in the query `problem`, as a reason or a code of a fault'

export const identityRoutes: Route[] = [
  {
    method: 'GET',
    path: API.identity,
    needs: 'anyone',
    docs: {
      summary: 'Lists the providers that users can log in with',
      responses: { 200: { description: 'the providers', shape: shapes.loginProvidersShape } },
    },
    handle: async ({ var: { app } }) => jsonResponse(await app.identitySignIn.shown()),
  },
  {
    method: 'GET',
    path: `${API.identityLogin}/:id`,
    needs: 'anyone',
    docs: {
      summary: 'Begins a log-in at a provider',
      query: {
        return: 'the page of the interface to open after that, such as `/files/photos/`',
        purpose:
          '`link`: links the account at the provider with the user, who confirms it afterwards',
      },
      responses: { 302: `redirects to the provider, or ${TO_INTERFACE}` },
    },
    async handle(call) {
      const purpose = call.req.query('purpose') === 'link' ? 'link' : 'signIn'
      const elsewhere = otherHostOf(call)
      if (elsewhere) return call.redirect(elsewhere, 302)
      try {
        const returnTo = pageOf(call.req.query('return'))
        return call.redirect(await beginFlow(call, idOf(call), purpose, returnTo), 302)
      } catch (error) {
        return toInterface(call, purpose, { problem: problemOf(call, error) })
      }
    },
  },
  {
    method: 'GET',
    path: `${API.identityCallback}/:id`,
    needs: 'anyone',
    docs: {
      summary: 'Takes the response of a provider, and checks it',
      query: {
        code: 'the code of the provider',
        state: 'as sent to the provider',
        iss: 'the issuer (RFC 9207)',
        error: 'why the provider refused',
      },
      responses: { 302: TO_INTERFACE },
    },
    async handle(call) {
      const { search } = new URL(call.req.url)
      try {
        const cookies = (flow: string) => cookieOf(call, flow)
        const service = call.var.app.identitySignIn
        const { flow, error } = await service.receive(idOf(call), search, cookies)
        if (error !== undefined) {
          const query = { problem: problemOf(call, error), provider: flow.provider }
          return toInterface(call, flow.purpose, query)
        }
        const { provider, returnTo } = flow
        const query = flow.purpose === 'signIn' ? { provider, redirect: returnTo } : {}
        return toInterface(call, flow.purpose, { flow: flow.id, ...query })
      } catch (error) {
        return toInterface(call, 'signIn', {
          problem: problemOf(call, error),
          provider: idOf(call),
        })
      }
    },
  },
  {
    method: 'POST',
    path: API.identityFinish,
    needs: 'anyone',
    audit: () => ({ action: 'signIn' }),
    docs: {
      summary: 'Signs in with the response of a provider, once, in the browser where it began',
      body: shapes.flowShape,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        403: 'no account belongs to the account at the provider: it can be linked; or it may not log in',
        404: 'the log-in has expired, was used, or began in another browser',
        405: 'users of this server do not sign in with a password',
        408: 'the form did not arrive in time',
        409: 'the home folder of the new account is not free',
        429: 'too many requests from this address',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const { app, address } = call.var
      const { flow } = await anonymousForm(call, shapes.flowShape)
      const agent = call.req.header('user-agent') ?? ''
      const client = { address, agent }
      const finishing = app.identitySignIn.finish(flow, cookieOf(call, flow), client)
      return signedInResponse(call, 'signIn', finishing)
    },
  },
  {
    method: 'POST',
    path: `${API.identityBackchannel}/:id`,
    needs: 'anyone',
    docs: {
      summary: 'Takes a log-out of a provider (OpenID Connect Back-Channel Logout 1.0)',
      body: 'application/x-www-form-urlencoded',
      responses: {
        200: 'the sessions have ended',
        400: {
          description: '`{"error":"invalid_request"}`',
          shape: z.object({ error: z.string() }),
        },
        408: 'the form did not arrive in time',
        404: 'there is no such provider',
        429: 'too many requests from this address',
        503: 'the provider cannot be reached, or too many requests are waiting',
      },
    },
    async handle(call) {
      const form = new URLSearchParams(await anonymousText(call, SERVER_LIMITS.logoutFormMaxBytes))
      try {
        await call.var.app.backchannel.logOut(idOf(call), form.get('logout_token') ?? '')
        return call.body(null, 200, NO_STORE)
      } catch (error) {
        if (!isFault(error, 'badRequest')) throw error
        call.var.logger.refused(call.var.path, 400, call.var.address, error)
        const body = { error: 'invalid_request', error_description: error.message }
        return call.body(JSON.stringify(body), 400, {
          'Content-Type': 'application/json; charset=utf-8',
          ...NO_STORE,
        })
      }
    },
  },
  {
    method: 'GET',
    path: API.identityLinked,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists the accounts at providers that the user logs in with',
      responses: {
        200: { description: 'these accounts', shape: z.array(shapes.linkedIdentityShape) },
      },
    },
    handle: async ({ var: { app, auth } }) =>
      jsonResponse(await app.identitySignIn.linkedOf(auth.user.id)),
  },
  {
    method: 'POST',
    path: API.identityLinked,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'changeUser', whom: auth?.user }),
    docs: {
      summary: 'Links the account of a log-in at a provider with the user',
      body: shapes.linkShape,
      responses: {
        200: OK_TEXT,
        404: 'the log-in has expired, was used, or began in another browser',
        409: 'the account at the provider is linked with a user already',
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      const { flow } = await jsonBody(call, shapes.linkShape)
      await app.identitySignIn.link(auth.user.id, flow, cookieOf(call, flow))
      return okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: `${API.identityLinked}/:id{[0-9]+}`,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'changeUser', whom: auth?.user }),
    docs: {
      summary: 'Unlinks an account at a provider, and ends the sessions that it opened',
      body: removalShape,
      responses: { 200: OK_TEXT, 404: 'there is no such account', ...CONFIRMED },
    },
    async handle(call) {
      const { app, auth } = call.var
      await app.identitySignIn.unlink(auth.user.id, Number(call.req.param('id')))
      return okResponse(call)
    },
  },
]

const NO_STORE = { 'Cache-Control': 'no-store' }

/** Begins a flow, and sends its cookie to the browser. @returns the address at the provider */
export async function beginFlow(
  call: AnyCall,
  provider: string,
  purpose: Purpose,
  returnTo: string,
): Promise<string> {
  const { app, address } = call.var
  const network = networkPrefix(address)
  const begun = await app.identitySignIn.begin({ provider, purpose, network, returnTo })
  writeFlowCookie(call, begun.flow)
  return begun.address
}

/** The cookie of a flow of this browser. */
export function cookieOf({ req }: AnyCall, flow: string): string | undefined {
  if (!/^[\da-f]+$/.test(flow)) return undefined
  const name = flowCookie(flow)
  return parseCookies(req.header('cookie') ?? '', name)[name]
}

/** Lax, because a provider sends the browser back from another site. */
function writeFlowCookie(call: AnyCall, { id: flow, cookie }: NewFlow): void {
  const { app, client } = call.var
  const value = generateCookie(flowCookie(flow), cookie, {
    path: app.baseURL + API.identity,
    httpOnly: true,
    sameSite: 'Lax',
    secure: client.isSecure,
    maxAge: FLOW_MS / 1000,
  })
  call.header('Set-Cookie', value, { append: true })
}

/** Each log-in has a cookie of its own, so that several tabs can log in at a time. */
function flowCookie(flow: string): string {
  return `log-in-${flow}`
}

function idOf(call: AnyCall): string {
  return call.req.param('id') ?? ''
}

/** A path of the interface: never the address of another host. */
function pageOf(text: string | undefined): string {
  const isPage = text !== undefined && /^\/(?![/\\])/.test(text) && text.length <= RETURN_MAX
  return isPage && !/[\p{Cc}]/u.test(text) ? text : ''
}

/** The parameter of a request that was redirected to the public address already. */
const REDIRECTED = 'redirected'

/**
 * The flow's cookie must belong to the host that the provider sends the browser to. So a log-in at another address begins
 * at the public one; once, because a proxy may change the host of requests.
 */
function otherHostOf(call: AnyCall): string | undefined {
  const url = new URL(call.req.url)
  const base = call.var.app.identitySignIn.addressOf('')
  if (base === '' || url.searchParams.has(REDIRECTED) || url.host === new URL(base).host) {
    return undefined
  }
  url.searchParams.set(REDIRECTED, 'true')
  return base + call.var.path + url.search
}

/** Where the interface goes on. */
const PAGES: Record<Purpose, string> = {
  signIn: LOGIN_PAGE,
  link: '/settings/profile',
  test: '/settings/global/login',
}

function toInterface(call: AnyCall, purpose: Purpose, query: Record<string, string>): Response {
  const pairs = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(pairs).toString()
  return call.redirect(`${call.var.app.baseURL}${PAGES[purpose]}?${text}`, 302)
}

/** The reason or code of an error, which is logged. */
function problemOf(call: AnyCall, error: unknown): string {
  const fault: Fault = asFault(error)
  const { logger, path, address } = call.var
  logger.refused(path, 302, address, fault)
  return fault.reason ?? fault.code
}
