/** Subtitles for the browser's player (docs/api.md 1.9). */

import type { Scope } from '#server/access/scope/scope.ts'
import { webVtt } from '#server/files/content/subtitles.ts'
import { API } from '#wire/api/routes.ts'
import type { TreePath } from '#wire/paths.ts'
import type { AnyCall, Route } from '../context/context.ts'
import { NOT_FOUND, QUEUE_RESPONSES, type RouteDocs } from '../context/route-docs.ts'
import { pathAfter } from '../request/input.ts'
import { openShare } from '../request/open-share.ts'
import { USER_BYTES_POLICY } from '../response/headers.ts'
import { sendTextQueued } from '../response/large-json.ts'

const QUERY: RouteDocs['query'] = {
  encoding: 'of the file, as a label of the Encoding standard; without it, it is detected',
}

const RESPONSES: RouteDocs['responses'] = {
  200: { description: 'the subtitles', type: 'text/vtt' },
  400: 'the file is not a subtitle file, or the encoding is unknown',
  404: NOT_FOUND,
  413: 'the file is too large for subtitles',
  ...QUEUE_RESPONSES,
}

export const subtitleRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.subtitle}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: { summary: 'Returns subtitles as WebVTT', query: QUERY, responses: RESPONSES },
    async handle(call) {
      const { path } = pathAfter(call, API.subtitle)
      return sendSubtitles(call, call.var.scope, path)
    },
  },
  {
    method: 'GET',
    path: `${API.publicSubtitle}/*`,
    needs: 'anyone',
    docs: {
      summary: 'Returns subtitles of a share as WebVTT',
      query: { ...QUERY, token: 'the token from the response to the correct password' },
      responses: {
        ...RESPONSES,
        401: 'a password is needed',
        403: 'the owner’s rights or rules deny it',
        429: 'too many attempts',
      },
    },
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicSubtitle)
      return sendSubtitles(call, scope, path)
    },
  },
]

/** @throws as `webVtt` */
function sendSubtitles(call: AnyCall, scope: Scope, path: TreePath): Promise<Response> {
  return sendTextQueued(call, () => webVtt(scope, path, call.req.query('encoding')), {
    'Content-Type': 'text/vtt; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': USER_BYTES_POLICY,
  })
}
