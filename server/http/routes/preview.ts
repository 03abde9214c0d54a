/** Previews of pictures (docs/api.md 1.8). */
import { API } from '#wire/api/routes.ts'
import { PREVIEW_QUERY, PREVIEW_RESPONSES, previewSizeOf, sendPreview } from '../content/preview.ts'
import type { Route } from '../context/context.ts'
import { pathIn, readAction } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'

export const previewRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.preview}/:size/*`,
    needs: 'download',
    appPassword: 'any',
    docs: {
      summary:
        'Returns a preview of a file: `thumb` is a square of 256 pixels, `small` fits into 320 × 320 pixels, `row` into 640 × 480, `big` into 1080 × 1080',
      query: PREVIEW_QUERY,
      responses: PREVIEW_RESPONSES,
    },
    slow: true,
    handle(call) {
      const size = previewSizeOf(call)
      const prefix = `${API.preview}/${size}`
      const { path } = pathAfter(call, prefix)
      const { scope } = call.var
      call.set('recheckAccess', () => scope.recheck('download', path))
      return sendPreview(call, scope, path, size, () => {
        call.set('auditNote', { action: readAction(call), path: pathIn(call, prefix) })
      })
    },
  },
]
