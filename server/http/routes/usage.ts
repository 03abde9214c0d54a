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
            'the bytes; zeros for a file. `free`: what the user can still write. `trash`: what the user has deleted on that disk and is still in the trash; `freeBytes` of it count as free, since a write of the user may remove them. `removedFromTrash`: how many items that the user had deleted were removed from the trash to make room, since the server started',
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
      return jsonResponse({
        ...(await scope.usage(path)),
        trash: await app.tree.journal.ownTrash(scope.actor, path),
        removedFromTrash: app.tree.trash.room.removedOf(scope.actor.id),
      } satisfies UserUsage)
    },
  },
]
