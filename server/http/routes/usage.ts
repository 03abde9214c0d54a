/** Disk usage (docs/api.md 1.10). */

import { API } from '#wire/api/routes.ts'
import { usageShape } from '#wire/shapes/response-shapes.ts'
import type { Route } from '../context/context.ts'
import { NOT_FOUND } from '../context/route-docs.ts'
import { pathAfter } from '../request/input.ts'
import { jsonResponse } from '../response/present.ts'

export const usageRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.usage}/*`,
    needs: 'session',
    appPassword: 'any',
    docs: {
      summary: 'Returns the used and total bytes of the disk that contains a folder',
      responses: {
        200: { description: 'the bytes; zeros for a file', shape: usageShape },
        403: 'a rule denies it',
        404: NOT_FOUND,
        409: 'it is not a folder',
      },
    },
    async handle(call) {
      const { scope } = call.var
      const { path } = pathAfter(call, API.usage)
      const { kind } = await scope.stat(path)
      return jsonResponse(
        kind === 'folder' ? await scope.usage(path) : { total: 0, used: 0, free: 0 },
      )
    },
  },
]
