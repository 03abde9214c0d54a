/** A user's settings for the look of the interface (docs/api.md 30). */
import { appearanceShape } from '#wire/api/appearance.ts'
import { API } from '#wire/api/routes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

export const appearanceRoutes: Route[] = [
  {
    method: 'GET',
    path: API.appearance,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Returns the user’s settings for the look of the interface',
      responses: { 200: { description: 'the settings', shape: appearanceShape } },
    },
    handle: async ({ var: { app, auth } }) => jsonResponse(await app.appearances.of(auth.user.id)),
  },
  {
    method: 'PUT',
    path: API.appearance,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Replaces the user’s settings for the look of the interface',
      body: appearanceShape,
      responses: { 200: OK_TEXT, 400: 'a value is invalid' },
    },
    async handle(call) {
      const { app, auth } = call.var
      await app.appearances.put(auth.user.id, await jsonBody(call, appearanceShape))
      return okResponse(call)
    },
  },
]
