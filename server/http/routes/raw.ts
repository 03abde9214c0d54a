/** A file's bytes (contract 1.7). */
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { download } from '../download.ts'
import { pathAfter } from '../input.ts'

export const rawRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.raw}/*`,
    needs: 'download',
    handle: (call) => download(call, call.var.scope, pathAfter(call, API.raw).path),
  },
]
