/** Disk usage (docs/api.md 1.10). */

import type { UserUsage } from '#wire/api/entry.ts'
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
        200: {
          description:
            'the bytes; zeros for a file. `removedFromTrash`: how many items that the user had deleted were removed from the trash to make room, since the server started',
          shape: usageShape,
        },
        403: 'a rule denies it',
        404: NOT_FOUND,
        409: 'it is not a folder',
      },
    },
    async handle(call) {
      const { scope, app } = call.var
      const { path } = pathAfter(call, API.usage)
      const { kind } = await scope.stat(path)
      if (kind !== 'folder') return jsonResponse({ total: 0, used: 0, free: 0 })
      const removedFromTrash = app.tree.trash.room.removedOf(scope.actor.id)
      return jsonResponse({ ...(await scope.usage(path)), removedFromTrash } satisfies UserUsage)
    },
  },
]
