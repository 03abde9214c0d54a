/** The OpenID Connect providers of an installation, for administrators (docs/api.md 36). */
import { z } from 'zod'
import { LOGIN_PAGE } from '#server/accounts/identity/flows.ts'
import { discoverProvider } from '#server/accounts/identity/provider-connections.ts'
import type { App } from '#server/app.ts'
import type { StoredProvider } from '#server/db/rows/providers.ts'
import type { BegunFlow, Provider } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import * as shapes from '#wire/shapes/identity-shapes.ts'
import { removalShape } from '#wire/shapes/shapes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'
import { beginFlow, cookieOf } from './identity.ts'

const byId = `${API.identityProviders}/:id` as const

const CONFIRMED = {
  400: 'the current password is wrong, or a code is needed; or a field is not valid',
  429: 'there are too many providers, or the current password was wrong too often',
  503: 'too many requests are waiting',
}
const NONE_SUCH = 'there is no such provider'
const PROVIDER_FAULTS = {
  403: 'a check of the response failed; `X-Fault` has the reason',
  422: 'the response of the provider is not valid; there is no discovery document at the address, or it names another issuer',
  503: 'the provider cannot be reached, or not in time; `X-Fault` has the reason',
}

export const identityProviderRoutes: Route[] = [
  {
    method: 'GET',
    path: API.identityProviders,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists the providers with their options, without their client secrets',
      responses: { 200: { description: 'the providers', shape: z.array(shapes.providerShape) } },
    },
    handle: async ({ var: { app } }) =>
      jsonResponse((await app.providers.list()).map((provider) => presentProvider(app, provider))),
  },
  {
    method: 'POST',
    path: API.identityProviders,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary: 'Adds a provider',
      body: shapes.providerRequestShape,
      responses: {
        201: { description: 'the provider', shape: shapes.providerShape },
        409: 'there is a provider with this id',
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { provider } = await jsonBody(call, shapes.providerRequestShape)
      const { app } = call.var
      await app.providers.add(provider, () => app.directories.ids())
      return call.body(
        JSON.stringify(presentProvider(app, await app.providers.get(provider.id))),
        201,
        {
          'Content-Type': 'application/json; charset=utf-8',
        },
      )
    },
  },
  {
    method: 'PUT',
    path: byId,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary: 'Changes a provider; without a client secret, the stored one is kept',
      body: shapes.providerRequestShape,
      responses: {
        200: { description: 'the provider', shape: shapes.providerShape },
        404: NONE_SUCH,
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { provider } = await jsonBody(call, shapes.providerRequestShape)
      const { app } = call.var
      if (provider.id !== call.req.param('id')) {
        throw new Fault('badRequest', 'The id of a provider does not change.')
      }
      await app.providers.change(provider)
      return jsonResponse(presentProvider(app, await app.providers.get(provider.id)))
    },
  },
  {
    method: 'DELETE',
    path: byId,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary: 'Removes a provider; the accounts of its users stay',
      body: removalShape,
      responses: { 200: OK_TEXT, 404: NONE_SUCH, ...CONFIRMED },
    },
    async handle(call) {
      await call.var.app.providers.remove(call.req.param('id') ?? '')
      return okResponse(call)
    },
  },
  {
    method: 'POST',
    path: API.identityDiscovery,
    needs: 'admin',
    appPassword: 'none',
    slow: true,
    docs: {
      summary: 'Reads what a provider says about itself',
      body: shapes.issuerShape,
      responses: {
        200: { description: 'the end points, scopes and abilities', shape: shapes.discoveredShape },
        ...PROVIDER_FAULTS,
      },
    },
    async handle(call) {
      const { issuer } = await jsonBody(call, shapes.issuerShape)
      return jsonResponse(await discoverProvider(issuer))
    },
  },
  {
    method: 'POST',
    path: `${byId}/test`,
    needs: 'admin',
    appPassword: 'none',
    slow: true,
    docs: {
      summary: 'Begins a test: a log-in at the provider that changes no session',
      responses: {
        200: { description: 'the address to open', shape: shapes.begunFlowShape },
        404: NONE_SUCH,
        405: 'users of this server do not sign in with a password',
        409: 'the public address is not set',
        ...PROVIDER_FAULTS,
      },
    },
    async handle(call) {
      const address = await beginFlow(call, call.req.param('id') ?? '', 'test', '')
      const body: BegunFlow = { address }
      return call.body(JSON.stringify(body), 200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
      })
    },
  },
  {
    method: 'POST',
    path: API.identityTest,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Shows what a provider sent in a test, and what a log-in would do',
      body: shapes.flowShape,
      responses: {
        200: { description: 'the claims and the result', shape: shapes.providerTestShape },
        404: 'the test has expired, or began in another browser',
      },
    },
    async handle(call) {
      const { flow } = await jsonBody(call, shapes.flowShape)
      const test = await call.var.app.identitySignIn.test(flow, cookieOf(call, flow))
      return jsonResponse(test, { 'Cache-Control': 'no-store' })
    },
  },
]

/** A provider without its client secret. */
function presentProvider({ identitySignIn }: App, stored: StoredProvider): Provider {
  const { id, label, issuer, clientId, clientSecret, isEnabled, options } = stored
  return {
    id,
    label,
    issuer,
    clientID: clientId,
    hasSecret: clientSecret !== '',
    isEnabled,
    options,
    redirectAddress: identitySignIn.redirectAddressOf(id),
    logoutAddress: identitySignIn.addressOf(LOGIN_PAGE),
    backchannelAddress: identitySignIn.addressOf(`${API.identityBackchannel}/${id}`),
  }
}
