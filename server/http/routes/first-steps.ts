/** The checklist for the first administrator (docs/api.md 25). */

import { firstStepsShape } from '#wire/api/first-steps.ts'
import { API } from '#wire/api/routes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

export const firstStepsRoutes: Route[] = [
  {
    method: 'GET',
    path: API.firstSteps,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists the first steps that are left for the first administrator',
      responses: { 200: { description: 'the steps', shape: firstStepsShape } },
    },
    async handle({ var: { app, auth } }) {
      const steps = await app.firstSteps.of(auth.user, app.signIn.settings.method)
      return jsonResponse({ ...steps, hosts: steps.isDue ? app.reachableHosts() : [] })
    },
  },
  {
    method: 'DELETE',
    path: API.firstSteps,
    needs: 'admin',
    appPassword: 'none',
    docs: { summary: 'Dismisses the first steps permanently', responses: { 200: OK_TEXT } },
    async handle(call) {
      await call.var.app.firstSteps.dismiss(call.var.auth.user.id)
      return okResponse(call)
    },
  },
]
