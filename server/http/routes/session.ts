/** Signing in, renewing the token, signing out. */

import { generateCookie } from 'hono/cookie'
import { z } from 'zod'
import { CodeNeededFault, type SignedIn } from '#server/accounts/sign-in/sign-in.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import { LOGOUT_HEADER } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { type CodeNeeded, codeNeededShape } from '#wire/api/second-factor.ts'
import { FAULT_HEADER, RENEW_HEADER, TOKEN_COOKIE, TOKEN_HEADER } from '#wire/api/session.ts'
import { Fault, faultHeader } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { AnyCall, Call, Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { authContextOf } from '../request/auth.ts'
import { anonymousForm } from '../request/input.ts'
import { okResponse } from '../response/present.ts'

/** A text that a user types; NUL is refused because environment variables cannot hold it. */
export const formText = z
  .string()
  .refine((text) => !text.includes('\0'), 'contains a character that cannot be typed')

/** The greatest length of a ticket. */
const TICKET_MAX = 1000

const credentials = z.object({
  username: formText.max(SERVER_LIMITS.usernameMax).default(''),
  password: formText.default(''),
  recaptcha: z.string().optional(),
})

const enrolBody = z.object({ ticket: z.string().max(TICKET_MAX) })

const codeBody = enrolBody.extend({
  code: formText.max(LIMITS.codeMax),
})

export const sessionRoutes: Route[] = [
  {
    method: 'POST',
    anyMethod: true,
    path: API.login,
    needs: 'anyone',
    audit: () => ({ action: 'signIn' }),
    docs: {
      summary: 'Signs in',
      body: credentials,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        401: {
          description:
            'the password is right, and the account needs a code too: send it with the ticket; or it must set up a second factor first (`factorDue`)',
          shape: codeNeededShape,
        },
        408: 'the form did not arrive in time',
        403: 'the name or password is wrong, the captcha was not solved, or the sign-in command refused',
        409: 'the sign-in would create a user whose home folder another user has',
        429: 'too many attempts',
        500: 'the captcha service or the sign-in command failed',
        503: 'too many sign-ins are waiting; or a directory does not respond',
      },
    },
    async handle(call) {
      const { app, address, client } = call.var
      const sent = await anonymousForm(call, credentials, { username: '', password: '' })
      call.set('auditNote', { action: 'signIn', username: sent.username })
      const header = (name: string) => (client.mayNameUser ? call.req.header(name) : undefined)
      const currentUsername = (await authContextOf(call))?.user.username
      const agent = call.req.header('user-agent') ?? ''
      const { signal } = call.req.raw
      return signedInResponse(
        call,
        'signIn',
        app.signIn.open({ ...sent, header, signal }, { address, agent }, currentUsername),
      )
    },
  },
  {
    method: 'POST',
    path: API.loginCode,
    needs: 'anyone',
    audit: () => ({ action: 'signIn' }),
    docs: {
      summary: 'Signs in with a code of the second factor, after the password',
      body: codeBody,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        403: 'the code is wrong, or was used before',
        408: 'the form did not arrive in time',
        404: 'the ticket has expired: sign in again',
        429: 'too many attempts',
        503: 'too many sign-ins are waiting',
      },
    },
    async handle(call) {
      const { app, address } = call.var
      const { ticket, code } = await anonymousForm(call, codeBody)
      const { username } = await app.signIn.userOf(ticket)
      call.set('auditNote', { action: 'signIn', username })
      const agent = call.req.header('user-agent') ?? ''
      return signedInResponse(call, 'signIn', app.signIn.finish(ticket, code, { address, agent }))
    },
  },
  {
    method: 'POST',
    path: API.loginEnrol,
    needs: 'anyone',
    audit: () => ({ action: 'signIn' }),
    docs: {
      summary:
        'Signs in a user who must set up a second factor; the session can do nothing else before',
      body: enrolBody,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        408: 'the form did not arrive in time',
        404: 'the ticket has expired: sign in again',
        429: 'too many requests from this address',
        503: 'too many sign-ins are waiting',
      },
    },
    async handle(call) {
      const { app, address } = call.var
      const { ticket } = await anonymousForm(call, enrolBody)
      const agent = call.req.header('user-agent') ?? ''
      return signedInResponse(call, 'signIn', app.signIn.enrol(ticket, { address, agent }))
    },
  },
  {
    method: 'POST',
    anyMethod: true,
    path: API.signup,
    needs: 'anyone',
    audit: () => ({ action: 'signUp' }),
    docs: {
      summary: 'Creates an account, if the settings allow sign-up',
      body: credentials,
      responses: {
        200: OK_TEXT,
        405: 'sign-up is off',
        408: 'the form did not arrive in time',
        409: 'the name or its folder is taken',
        429: 'too many attempts from this address',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      call.var.app.signUp.requireEnabled()
      const { username, password } = await anonymousForm(call, credentials)
      call.set('auditNote', { action: 'signUp', username })
      await call.var.app.signUp.create(username, password, call.var.address)
      return okResponse(call)
    },
  },
  {
    method: 'POST',
    anyMethod: true,
    path: API.renew,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    docs: {
      summary: 'Renews the token',
      responses: { 200: { description: 'the new token', type: 'text/plain' } },
    },
    handle: renewToken,
  },
  {
    method: 'GET',
    path: API.renew,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    docs: {
      summary: 'Renews the token, for clients that use GET',
      headers: { [TOKEN_HEADER]: 'the token; the cookie alone is not enough' },
      responses: { 200: { description: 'the new token', type: 'text/plain' } },
    },
    handle: renewToken,
  },
  {
    method: 'POST',
    path: API.logout,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    audit: () => ({ action: 'signOut' }),
    docs: {
      summary: 'Signs out; `Clear-Site-Data` makes a browser delete its downloads',
      responses: {
        200: `${OK_TEXT}; \`${LOGOUT_HEADER}\` has the address where the log-out continues at the provider, if it does`,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      await app.sessions.end(auth.session.id)
      const address = await app.identitySignIn.logoutAddress(auth.session)
      // A cookie for all paths may be from the interface of File Browser, an older server or another client.
      for (const path of [cookiePath(call), `${call.var.app.baseURL}/`]) {
        writeCookie(call, '', { path, maxAge: 0 })
      }
      return okResponse(call, { ...CLEAR_CACHE, ...(address && { [LOGOUT_HEADER]: address }) })
    },
  },
]

/**
 * Makes the browser delete the files that it has downloaded and keeps for `If-None-Match` (W3C Clear Site Data). Not its
 * cookies, which would include those of other applications of the site. Not its storage, which would include the service
 * worker, and uploads in other tabs.
 */
export const CLEAR_CACHE = { 'Clear-Site-Data': '"cache"' }

/**
 * The response shows the new token to scripts, which cannot read the cookie. So the cookie alone does not suffice: the
 * request must have the token in the header.
 *
 * @throws Fault unauthenticated (no token in the header)
 */
async function renewToken(call: Call): Promise<Response> {
  if (!call.req.header(TOKEN_HEADER)) throw new Fault('unauthenticated', 'Sign in first.')
  const { app, auth } = call.var
  await app.directorySignIn.requireStillThere(auth.session)
  return tokenResponse(call, await app.sessions.renew(auth))
}

/** The response to a sign-in: the token; or, if a code is needed too, the ticket to send with it (401). */
export async function signedInResponse(
  call: AnyCall,
  action: AuditAction,
  signingIn: Promise<SignedIn>,
): Promise<Response> {
  try {
    const { username, token } = await signingIn
    call.set('auditNote', { action, username })
    return tokenResponse(call, token)
  } catch (error) {
    if (!(error instanceof CodeNeededFault)) throw error
    const { app } = call.var
    const { id, username } = await app.signIn.userOf(error.ticket)
    call.set('auditNote', { action, username })
    const { since, passkeyHosts } = await app.secondFactors.statusOf(id)
    const body: CodeNeeded = { ticket: error.ticket, app: since !== '', passkeyHosts }
    return call.body(JSON.stringify(body), 401, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      [FAULT_HEADER]: faultHeader(error),
    })
  }
}

/** Sends the token as the body, and as a session cookie for links and pictures, which scripts cannot read. */
function tokenResponse(call: AnyCall, token: string): Response {
  writeTokenCookie(call, token)
  call.header(RENEW_HEADER, 'false')
  return call.body(token, 200, { 'Content-Type': 'text/plain' })
}

export function writeTokenCookie(call: AnyCall, token: string): void {
  writeCookie(call, token, {
    path: cookiePath(call),
    httpOnly: true,
    sameSite: 'Strict',
    secure: call.var.client.isSecure,
  })
}

function writeCookie(
  call: AnyCall,
  value: string,
  options: Parameters<typeof generateCookie>[2],
): void {
  call.header('Set-Cookie', generateCookie(TOKEN_COOKIE, value, options), { append: true })
}

/** The cookie is limited to the API, which distinguishes it from cookies that clients write for all paths. */
function cookiePath(call: AnyCall): string {
  return `${call.var.app.baseURL}/api`
}
