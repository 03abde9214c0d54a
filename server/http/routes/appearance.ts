/** How the interface looks for a user (docs/api.md 30). */
import { appearanceShape } from '#wire/appearance.ts'
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { jsonBody } from '../input.ts'
import { jsonResponse, okResponse } from '../present.ts'
import { OK_TEXT } from '../route-docs.ts'

export const appearanceRoutes: Route[] = [
  {
    method: 'GET',
    path: API.appearance,
    needs: 'session',
    docs: {
      summary: 'Returns how the interface looks for the user',
      responses: { 200: { description: 'the choices of the user', shape: appearanceShape } },
    },
    handle: ({ var: { app, auth } }) => jsonResponse(app.appearances.of(auth.user.id)),
  },
  {
    method: 'PUT',
    path: API.appearance,
    needs: 'session',
    docs: {
      summary: 'Replaces how the interface looks for the user',
      body: appearanceShape,
      responses: { 200: OK_TEXT, 400: 'a value is not among the choices' },
    },
    async handle(call) {
      const { app, auth } = call.var
      app.appearances.put(auth.user.id, await jsonBody(call, appearanceShape))
      return okResponse(call)
    },
  },
]
