/** Whether the server is there. */
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'

export const healthRoutes: Route[] = [
  {
    method: 'GET',
    path: API.health,
    needs: 'anyone',
    handle: (call) => call.json({ status: 'OK' }),
  },
]
