/** Previews of pictures (docs/api.md 1.8). */
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { pathAfter } from '../input.ts'
import { PREVIEW_QUERY, PREVIEW_RESPONSES, previewSizeOf, sendPreview } from '../preview.ts'

export const previewRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.preview}/:size/*`,
    needs: 'download',
    docs: {
      summary:
        'Sends a small picture of a picture: `thumb` is 256 pixels, cut to a square; `row` fits into 640 × 480, `big` into 1080',
      query: PREVIEW_QUERY,
      responses: PREVIEW_RESPONSES,
    },
    slow: true,
    handle(call) {
      const size = previewSizeOf(call)
      return sendPreview(call, call.var.scope, pathAfter(call, `${API.preview}/${size}`).path, size)
    },
  },
]
