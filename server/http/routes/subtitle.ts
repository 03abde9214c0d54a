/** Subtitles for the browser's player (docs/api.md 1.9). */

import { webVtt } from '#server/files/content/subtitles.ts'
import { API } from '#wire/api/routes.ts'
import type { Route } from '../context/context.ts'
import { NOT_FOUND, QUEUE_RESPONSES } from '../context/route-docs.ts'
import { pathAfter } from '../request/input.ts'
import { USER_BYTES_POLICY } from '../response/headers.ts'
import { sendTextQueued } from '../response/large-json.ts'

export const subtitleRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.subtitle}/*`,
    needs: 'download',
    docs: {
      summary: 'Returns subtitles as WebVTT',
      responses: {
        200: { description: 'the subtitles', type: 'text/vtt' },
        400: 'the file is not a subtitle file',
        404: NOT_FOUND,
        413: 'the file is too large for subtitles',
        ...QUEUE_RESPONSES,
      },
    },
    async handle(call) {
      const { path } = pathAfter(call, API.subtitle)
      return sendTextQueued(call, () => webVtt(call.var.scope, path), {
        'Content-Type': 'text/vtt; charset=utf-8',
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': USER_BYTES_POLICY,
      })
    },
  },
]
