/** The API description as OpenAPI and as a page. */
import { randomBytes } from 'node:crypto'
import { VERSION } from '#server/version.ts'
import { API } from '#wire/api/routes.ts'
import type { PublicCall, Route } from '../context/context.ts'
import { docsPage } from '../docs/docs.ts'
import { describeApi, type OpenApi } from '../docs/openapi.ts'
import { jsonResponse } from '../response/present.ts'

/** @param routes the documented routes, to which these two are added */
export function docsRoutes(routes: readonly Route[]): Route[] {
  const described = (call: PublicCall): OpenApi =>
    describeApi([...routes, ...docRoutes], call.var.app.baseURL, VERSION)
  const docRoutes: Route[] = [
    {
      method: 'GET',
      path: API.openapi,
      needs: 'anyone',
      docs: {
        summary: 'Returns this API as OpenAPI 3.1',
        responses: { 200: { description: 'the description', type: 'application/json' } },
      },
      handle: (call) => jsonResponse(described(call)),
    },
    {
      method: 'GET',
      path: API.docs,
      needs: 'anyone',
      docs: {
        summary: 'Shows this API as a page',
        responses: { 200: { description: 'a page', type: 'text/html' } },
      },
      async handle(call) {
        const nonce = randomBytes(16).toString('base64')
        return call.html(await docsPage(described(call), nonce), 200, {
          'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        })
      },
    },
  ]
  return docRoutes
}
