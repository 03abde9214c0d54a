/** Downloads of files, and of folders as archives (docs/api.md 1.7). */

import { API } from '#wire/api/routes.ts'
import { downloadAny } from '../content/archive-download.ts'
import type { Route } from '../context/context.ts'
import { DOWNLOAD_QUERY, DOWNLOAD_RESPONSES } from '../context/route-docs.ts'
import { pathIn, readAction } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'
import { redirectToContentOrigin } from '../response/content-origin.ts'

export const rawRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.raw}/*`,
    needs: 'download',
    appPassword: 'any',
    audit: (call) => ({ action: readAction(call), path: pathIn(call, API.raw) }),
    docs: {
      summary: 'Downloads a file, or a folder as an archive',
      query: DOWNLOAD_QUERY,
      responses: DOWNLOAD_RESPONSES,
    },
    // Not `slow`: the idle timeout, which pauses while the server works, ends stalled clients.
    async handle(call) {
      const redirect = await redirectToContentOrigin(call)
      if (redirect) return redirect
      const { app, scope } = call.var
      const topName = app.settings.get().branding.name || 'files'
      const { path } = pathAfter(call, API.raw)
      call.set('recheckAccess', () => scope.recheck('download', path))
      return downloadAny(call, scope, path, topName)
    },
  },
]
