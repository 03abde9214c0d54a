/** How full the disk is (contract 1.10). */
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { pathAfter } from '../input.ts'
import { json } from '../present.ts'

export const usageRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.usage}/*`,
    needs: 'session',
    async handle(call) {
      const { scope } = call.var
      const { path } = pathAfter(call, API.usage)
      const { kind } = await scope.stat(path)
      return json(kind === 'folder' ? await scope.usage(path) : { total: 0, used: 0 })
    },
  },
]
