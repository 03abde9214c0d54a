/** Subtitles as a browser's player reads them (docs/api.md 1.9). */

import { webVtt } from '#server/files/subtitles.ts'
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { USER_BYTES_POLICY } from '../headers.ts'
import { pathAfter } from '../input.ts'
import { sendQueued } from '../large-json.ts'
import { LARGE, NOT_FOUND } from '../route-docs.ts'

export const subtitleRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.subtitle}/*`,
    needs: 'download',
    docs: {
      summary: 'Returns subtitles as WebVTT',
      answers: {
        200: { description: 'the subtitles', type: 'text/vtt' },
        400: 'no subtitle file',
        404: NOT_FOUND,
        413: 'too large for subtitles',
        ...LARGE,
      },
    },
    async handle(call) {
      const { path } = pathAfter(call, API.subtitle)
      return sendQueued(call, () => webVtt(call.var.scope, path), {
        'Content-Type': 'text/vtt; charset=utf-8',
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': USER_BYTES_POLICY,
      })
    },
  },
]
