/** Signing in with a passkey alone, without a name (docs/api.md 37). */

import { z } from 'zod'
import { passkeyOptionsShape } from '#wire/api/passkeys.ts'
import { API } from '#wire/api/routes.ts'
import { passkeyAssertionShape } from '#wire/shapes/shapes.ts'
import type { Route } from '../context/context.ts'
import { anonymousForm } from '../request/input.ts'
import { mustSiteOf } from './passkeys.ts'
import { requireSecondFactors } from './second-factor.ts'
import { signedInResponse } from './session.ts'

const NOWHERE = 'browsers accept no passkeys at the address of this server'
const NO_PASSWORDS = 'users of this server do not sign in with a password'

const passkeyBody = z.object({ credential: passkeyAssertionShape })

export const passkeySignInRoutes: Route[] = [
  {
    method: 'POST',
    path: `${API.loginPasskey}/options`,
    needs: 'anyone',
    docs: {
      summary: 'Returns what a browser needs to sign in with a passkey, for five minutes',
      responses: {
        200: { description: 'the options (WebAuthn)', shape: passkeyOptionsShape },
        405: NO_PASSWORDS,
        409: NOWHERE,
      },
    },
    async handle(call) {
      requireSecondFactors(call)
      const options = await call.var.app.passkeys.beginSignIn(mustSiteOf(call))
      return call.body(JSON.stringify(options), 200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    },
  },
  {
    method: 'POST',
    path: API.loginPasskey,
    needs: 'anyone',
    audit: () => ({ action: 'signIn' }),
    docs: {
      summary: 'Signs in with a passkey',
      body: passkeyBody,
      responses: {
        200: { description: 'the token, also as the cookie `auth`', type: 'text/plain' },
        403: 'the passkey is not known or not accepted here',
        404: 'the options have expired: begin again',
        405: NO_PASSWORDS,
        408: 'the form did not arrive in time',
        409: NOWHERE,
        429: 'too many attempts',
        503: 'too many sign-ins are waiting',
      },
    },
    async handle(call) {
      const { app, address } = call.var
      requireSecondFactors(call)
      const { credential } = await anonymousForm(call, passkeyBody)
      call.set('auditNote', {
        action: 'signIn',
        username: await app.signIn.passkeyOwner(credential.id),
      })
      const agent = call.req.header('user-agent') ?? ''
      const site = mustSiteOf(call)
      return signedInResponse(
        call,
        'signIn',
        app.signIn.openWithPasskey(credential, site, { address, agent }),
      )
    },
  },
]
