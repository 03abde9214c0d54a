/** Whether the server is there. */
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { json } from '../present.ts'

export const healthRoutes: Route[] = [
  {
    method: 'GET',
    path: API.health,
    needs: 'anyone',
    docs: { summary: 'Reports that the server is running', answers: { 200: '`{"status":"OK"}`' } },
    handle: () => json({ status: 'OK' }),
  },
]
