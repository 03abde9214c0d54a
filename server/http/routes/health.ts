/** Health, readiness and status of the server. */

import { API } from '#wire/api/routes.ts'
import { statusShape } from '#wire/api/status.ts'
import type { Route } from '../context/context.ts'
import { jsonResponse } from '../response/present.ts'

export const healthRoutes: Route[] = [
  {
    method: 'GET',
    path: API.health,
    needs: 'anyone',
    docs: {
      summary: 'Reports that the server is running',
      responses: {
        200: '`{"status":"OK"}`, with `silentDisks` if disks below the root do not respond',
      },
    },
    // Only their number: their names are not for everybody.
    handle: (call) => {
      const silentDisks = call.var.app.tree.storage
        .states()
        .filter(({ state }) => state === 'silent').length
      return jsonResponse({ status: 'OK', ...(silentDisks > 0 && { silentDisks }) })
    },
  },
  {
    method: 'GET',
    path: API.ready,
    needs: 'anyone',
    docs: {
      summary:
        'Reports whether the database and new files can be written, and the served folder be read',
      responses: {
        200: '`{"status":"OK"}`',
        503: 'one of them fails, or the server is stopping; the text says which',
      },
    },
    async handle(call) {
      await call.var.app.checkReady()
      return jsonResponse({ status: 'OK' })
    },
  },
  {
    method: 'GET',
    path: API.status,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Returns the state of the server',
      responses: {
        200: { description: 'counters since the start, and current values', shape: statusShape },
      },
    },
    handle: async (call) => jsonResponse(await call.var.metrics.status(call.var.app)),
  },
]
