/** How full the disk is (contract 1.10). */
import { usageShape } from '#wire/answers.ts'
import { API } from '#wire/routes.ts'
import { NOTHING_THERE } from '../about.ts'
import type { Route } from '../context.ts'
import { pathAfter } from '../input.ts'
import { json } from '../present.ts'

export const usageRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.usage}/*`,
    needs: 'session',
    about: {
      summary: 'Says how full the disk of a folder is, in bytes',
      answers: {
        200: { words: 'the disk; zeros for a file', shape: usageShape },
        403: 'a rule denies it',
        404: NOTHING_THERE,
        409: 'no folder',
      },
    },
    async handle(call) {
      const { scope } = call.var
      const { path } = pathAfter(call, API.usage)
      const { kind } = await scope.stat(path)
      return json(kind === 'folder' ? await scope.usage(path) : { total: 0, used: 0 })
    },
  },
]
