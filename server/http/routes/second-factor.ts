/** The second factor of accounts (docs/api.md 35). Every change needs the current password. */
import { z } from 'zod'
import { API } from '#wire/api/routes.ts'
import type { RecoveryCodes, SecondFactor } from '#wire/api/second-factor.ts'
import * as shapes from '#wire/api/second-factor.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { removalShape } from '#wire/shapes/shapes.ts'
import { timeOrEmpty } from '#wire/units.ts'
import type { AnyCall, Call, Route } from '../context/context.ts'
import { OK_TEXT, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { confirmationOf } from '../request/confirmation.ts'
import { jsonBody } from '../request/input.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

const code = z.string().max(LIMITS.codeMax)
const codeBody = z.object({ code })
const verifyBody = removalShape.extend({ code })

export const CONFIRMED = {
  400: 'the current password or the code is wrong, or a code is needed',
  405: 'users of this server do not sign in with a password',
  429: 'the current password or the code was wrong too often',
  503: 'too many requests are waiting',
}

export const secondFactorRoutes: Route[] = [
  {
    method: 'GET',
    path: API.secondFactor,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    docs: {
      summary: 'Tells whether the user signs in with a second factor',
      responses: { 200: { description: 'the second factor', shape: shapes.secondFactorShape } },
    },
    async handle({ var: { app, auth } }) {
      const body: SecondFactor = {
        ...(await app.secondFactors.statusOf(auth.user.id)),
        // A provider has factors of its own.
        requiredFrom: (await app.enforcement.isExempt(auth.session))
          ? ''
          : timeOrEmpty(app.enforcement.fromMs(auth.user) ?? 0),
      }
      return jsonResponse(body)
    },
  },
  {
    method: 'GET',
    path: `${API.secondFactor}/users`,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists the users who sign in with a second factor',
      responses: {
        200: { description: 'these users', shape: z.array(shapes.secondFactorUserShape) },
        ...QUEUE_RESPONSES,
      },
    },
    handle: (call) => sendJsonQueued(call, async () => call.var.app.secondFactors.list()),
  },
  {
    method: 'POST',
    path: API.secondFactor,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    enrols: true,
    docs: {
      summary: 'Makes a secret for an authenticator app; it is not in use before `confirm`',
      body: removalShape,
      responses: {
        200: { description: 'the secret', shape: shapes.secondFactorDraftShape },
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const { secondFactors, settings } = app
      const issuer = settings.get().branding.name || 'filemgr'
      return secretResponse(
        call,
        await secondFactors.begin(auth.user, issuer, new URL(call.req.url).hostname),
      )
    },
  },
  {
    method: 'POST',
    path: `${API.secondFactor}/confirm`,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    audit: () => ({ action: 'addSecondFactor' }),
    docs: {
      summary: 'Puts the secret into use',
      body: codeBody,
      responses: {
        200: { description: 'the recovery codes', shape: shapes.recoveryCodesShape },
        400: 'the code is wrong',
        404: 'the secret has expired: make another one',
      },
    },
    async handle(call) {
      const { code } = await jsonBody(call, codeBody)
      const { app, auth } = call.var
      call.set('auditNote', { action: 'addSecondFactor', whom: auth.user })
      const codes = await app.secondFactors.confirm(auth.user.id, code)
      await app.sessions.setVerified(auth.session.id)
      return secretResponse(call, { codes } satisfies RecoveryCodes)
    },
  },
  {
    method: 'POST',
    path: `${API.secondFactor}/verify`,
    needs: 'session',
    appPassword: 'none',
    recent: 'itself',
    docs: {
      summary: 'Verifies a code, so that the password confirms changes for five minutes',
      body: verifyBody,
      responses: { 200: OK_TEXT, ...CONFIRMED },
    },
    async handle(call) {
      const { current_password, code } = await jsonBody(call, verifyBody)
      const { app, auth } = call.var
      requireSecondFactors(call)
      await app.confirmations.verify(auth.user, confirmationOf(call, current_password), code)
      return okResponse(call)
    },
  },
  {
    method: 'POST',
    path: `${API.secondFactor}/recovery-codes`,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'newRecoveryCodes', whom: auth?.user }),
    docs: {
      summary: 'Replaces the recovery codes',
      body: removalShape,
      responses: {
        200: { description: 'the new recovery codes', shape: shapes.recoveryCodesShape },
        409: 'the account has no second factor',
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const codes = await app.secondFactors.renewRecoveryCodes(auth.user.id)
      return secretResponse(call, { codes } satisfies RecoveryCodes)
    },
  },
  {
    method: 'DELETE',
    path: API.secondFactor,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'removeSecondFactor', whom: auth?.user }),
    docs: {
      summary: 'Removes the authenticator app of the user; passkeys stay',
      body: removalShape,
      responses: { 200: OK_TEXT, ...CONFIRMED },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      await app.secondFactors.removeApp(auth.user.id)
      return okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: `${API.secondFactor}/users/:id{[0-9]+}`,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: async (call) => ({
      action: 'removeSecondFactor',
      whom: await call.var.app.users.find(idOf(call)),
    }),
    docs: {
      summary:
        'Removes the second factor of a user with all passkeys, and ends the sessions of this user',
      body: removalShape,
      responses: { 200: OK_TEXT, 404: 'there is no such user', ...CONFIRMED },
    },
    async handle(call) {
      const { app } = call.var
      requireSecondFactors(call)
      const id = idOf(call)
      await app.users.get(id)
      if (await app.secondFactors.remove(id)) await app.sessions.endAll(id)
      return okResponse(call)
    },
  },
]

/** @throws Fault methodNotAllowed */
export function requireSecondFactors({ var: { app } }: AnyCall): void {
  if (app.signIn.hasSecondFactors) return
  throw new Fault(
    'methodNotAllowed',
    'This server does not use its own passwords for sign-in, so it has no second factors.',
  )
}

function idOf({ req }: AnyCall): number {
  return Number(req.param('id'))
}

/** A response that no cache may keep. */
export function secretResponse(call: Call, body: object, status: 200 | 201 = 200): Response {
  return call.body(JSON.stringify(body), status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  })
}
