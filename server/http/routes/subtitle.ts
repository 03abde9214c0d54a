/** Subtitles as a browser's player reads them (contract 1.9). */

import { webVtt } from '#server/files/subtitles.ts'
import { API } from '#wire/routes.ts'
import { LARGE, NOTHING_THERE } from '../about.ts'
import type { Route } from '../context.ts'
import { USER_BYTES_POLICY } from '../headers.ts'
import { pathAfter } from '../input.ts'
import { sentInTurn } from '../large-json.ts'

export const subtitleRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.subtitle}/*`,
    needs: 'download',
    about: {
      summary: 'Sends subtitles as WebVTT',
      answers: {
        200: { words: 'the subtitles', type: 'text/vtt' },
        400: 'no subtitle file',
        404: NOTHING_THERE,
        413: 'too large for subtitles',
        ...LARGE,
      },
    },
    async handle(call) {
      const { path } = pathAfter(call, API.subtitle)
      return sentInTurn(call, () => webVtt(call.var.scope, path), {
        'Content-Type': 'text/vtt; charset=utf-8',
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': USER_BYTES_POLICY,
      })
    },
  },
]
