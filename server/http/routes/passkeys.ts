/** The passkeys of the user (docs/api.md 37). They are managed only in a session. */
import {
  type PasskeySite,
  passkeyPage,
  passkeySite,
} from '#server/accounts/passkeys/passkey-site.ts'
import type { StoredPasskey } from '#server/db/rows/passkeys.ts'
import type { NewPasskey, Passkey, PasskeyList } from '#wire/api/passkeys.ts'
import * as shapes from '#wire/api/passkeys.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import {
  newPasskeyBodyShape,
  passkeyAssertionShape,
  passkeyChangeShape,
  removalShape,
} from '#wire/shapes/shapes.ts'
import { timeOrEmpty } from '#wire/units.ts'
import type { AnyCall, Call, Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { confirmationOf } from '../request/confirmation.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'
import { CONFIRMED, requireSecondFactors, secretResponse } from './second-factor.ts'

/** A credential id in base64url. */
const ONE = `${API.passkeys}/:id{[A-Za-z0-9_-]+}`
const NONE_SUCH = 'the user has no such passkey'
const NOWHERE = 'browsers accept no passkeys at the address of this server'

const verifyBody = removalShape.extend({ credential: passkeyAssertionShape })

export const passkeyRoutes: Route[] = [
  {
    method: 'GET',
    path: API.passkeys,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    docs: {
      summary: 'Lists the passkeys of the user',
      responses: { 200: { description: 'the oldest first', shape: shapes.passkeyListShape } },
    },
    async handle(call) {
      const { app, auth } = call.var
      const body: PasskeyList = {
        origin: passkeyPage(app.settings.get().publicAddress)?.origin ?? '',
        passkeys: (await app.passkeys.list(auth.user.id)).map(shown),
      }
      return jsonResponse(body)
    },
  },
  {
    method: 'POST',
    path: `${API.passkeys}/options`,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    enrols: true,
    docs: {
      summary: 'Returns what a browser needs to make a passkey, for five minutes',
      body: removalShape,
      responses: {
        200: { description: 'the options (WebAuthn)', shape: shapes.passkeyOptionsShape },
        409: NOWHERE,
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const site = mustSiteOf(call)
      const issuer = app.settings.get().branding.name || 'filemgr'
      return secretResponse(
        call,
        await app.passkeys.beginRegistration(auth.user, auth.session.id, site, issuer),
      )
    },
  },
  {
    method: 'POST',
    path: API.passkeys,
    needs: 'session',
    appPassword: 'none',
    enrols: true,
    audit: () => ({ action: 'addPasskey' }),
    docs: {
      summary: 'Stores a passkey that a browser has made',
      body: newPasskeyBodyShape,
      responses: {
        201: { description: 'the passkey', shape: shapes.newPasskeyShape },
        400: 'the name is missing, or the response of the browser is not valid',
        404: 'the options have expired: begin again',
        405: 'users of this server do not sign in with a password',
        409: NOWHERE,
        429: 'the user has the most passkeys',
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const { name, credential } = await jsonBody(call, newPasskeyBodyShape)
      call.set('auditNote', { action: 'addPasskey', whom: auth.user })
      const options = { session: auth.session.id, site: mustSiteOf(call), name }
      const { stored, codes } = await app.secondFactors.addingFactor(auth.user.id, () =>
        app.passkeys.register(auth.user.id, options, credential),
      )
      await app.sessions.setVerified(auth.session.id)
      return secretResponse(call, { passkey: shown(stored), codes } satisfies NewPasskey, 201)
    },
  },
  {
    method: 'POST',
    path: `${API.passkeys}/verify/options`,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Returns what a browser needs to confirm changes with a passkey of the user',
      responses: {
        200: { description: 'the options (WebAuthn)', shape: shapes.passkeyOptionsShape },
        405: 'users of this server do not sign in with a password',
        409: NOWHERE,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const { user, session } = auth
      return secretResponse(
        call,
        await app.passkeys.beginVerification(user.id, session.id, mustSiteOf(call)),
      )
    },
  },
  {
    method: 'POST',
    path: `${API.passkeys}/verify`,
    needs: 'session',
    appPassword: 'none',
    recent: 'itself',
    docs: {
      summary: 'Verifies a passkey, so that the password confirms changes for five minutes',
      body: verifyBody,
      responses: {
        200: OK_TEXT,
        404: 'the options have expired: begin again',
        409: NOWHERE,
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const { current_password, credential } = await jsonBody(call, verifyBody)
      const site = mustSiteOf(call)
      const expected = {
        purpose: 'verify',
        session: auth.session.id,
        userId: auth.user.id,
      } as const
      await app.confirmations.verifyPasskey(auth.user, confirmationOf(call, current_password), () =>
        app.passkeys.accept(credential, site, expected),
      )
      return okResponse(call)
    },
  },
  {
    method: 'PATCH',
    path: ONE,
    needs: 'session',
    appPassword: 'none',
    audit: () => ({ action: 'changePasskey' }),
    docs: {
      summary: 'Renames a passkey',
      body: passkeyChangeShape,
      responses: { 200: OK_TEXT, 400: 'the name is missing', 404: NONE_SUCH },
    },
    async handle(call) {
      const { name } = await jsonBody(call, passkeyChangeShape)
      const { id } = await ownOf(call)
      call.set('auditNote', { action: 'changePasskey', whom: call.var.auth.user })
      await call.var.app.passkeys.rename(id, name)
      return okResponse(call)
    },
  },
  {
    method: 'DELETE',
    path: ONE,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    audit: ({ var: { auth } }) => ({ action: 'removePasskey', whom: auth?.user }),
    docs: {
      summary: 'Removes a passkey',
      body: removalShape,
      responses: { 200: OK_TEXT, 404: NONE_SUCH, ...CONFIRMED },
    },
    async handle(call) {
      const { app, auth } = call.var
      requireSecondFactors(call)
      const { id } = await ownOf(call)
      await app.secondFactors.removePasskey(auth.user.id, id)
      return okResponse(call)
    },
  },
]

/** @returns where the client can use passkeys. @throws Fault conflict (nowhere) */
export function mustSiteOf({ req, var: { app } }: AnyCall): PasskeySite {
  const site = passkeySite(app.settings.get().publicAddress, req.header('origin') ?? '')
  if (site) return site
  throw new Fault(
    'conflict',
    'Browsers accept passkeys only at an address with a host name and https, and at localhost. An administrator sets the address: publicAddress.',
    { reason: 'passkeysNowhere' },
  )
}

/** @throws Fault notFound, also for one of another user */
async function ownOf(call: Call): Promise<StoredPasskey> {
  const stored = await call.var.app.passkeys.find(call.req.param('id') ?? '')
  if (stored?.userId === call.var.auth.user.id) return stored
  throw new Fault('notFound', 'There is no such passkey.')
}

function shown({ id, name, rpId, isSynced, createdMs, usedMs }: StoredPasskey): Passkey {
  return {
    id,
    name,
    host: rpId,
    isSynced,
    created: timeOrEmpty(createdMs),
    used: timeOrEmpty(usedMs),
  }
}
