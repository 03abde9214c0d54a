/** Subtitles for the browser's player: files, and those inside of films (docs/api.md 1.9). */

import type { Scope } from '#server/access/scope/scope.ts'
import { webVtt } from '#server/files/content/subtitles.ts'
import { filmSubtitlesShape } from '#wire/api/media.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { AnyCall, Route } from '../context/context.ts'
import { NOT_FOUND, QUEUE_RESPONSES, type RouteDocs } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { pathAfter } from '../request/input.ts'
import { openShare } from '../request/open-share.ts'
import { USER_BYTES_POLICY } from '../response/headers.ts'
import { sendTextQueued } from '../response/large-json.ts'
import { jsonResponse } from '../response/present.ts'

const QUERY: RouteDocs['query'] = {
  encoding: 'of the file, as a label of the Encoding standard; without it, it is detected',
  track: 'of a film: the number of the track with the subtitles, as in the list of them',
}

const RESPONSES: RouteDocs['responses'] = {
  200: { description: 'the subtitles', type: 'text/vtt' },
  400: 'the file is not a subtitle file, the encoding is unknown, or the track is no number',
  404: NOT_FOUND,
  413: 'the file is too large for subtitles',
  422: 'the subtitles in the film cannot be read, or not in time',
  429: 'this user has too many requests for media data in progress',
  ...QUEUE_RESPONSES,
}

const LIST_RESPONSES: RouteDocs['responses'] = {
  200: {
    description: 'those of text; none if the server cannot read them',
    shape: filmSubtitlesShape,
  },
  404: NOT_FOUND,
  429: 'this user has too many requests for media data in progress',
  503: 'too many films are being read',
}

export const subtitleRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.subtitle}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: { summary: 'Returns subtitles as WebVTT', query: QUERY, responses: RESPONSES },
    slow: true,
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
    slow: true,
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicSubtitle)
      return sendSubtitles(call, scope, path)
    },
  },
  {
    method: 'GET',
    path: `${API.filmSubtitles}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: { summary: 'Lists the subtitles inside of a film', responses: LIST_RESPONSES },
    slow: true,
    async handle(call) {
      const { path } = pathAfter(call, API.filmSubtitles)
      return jsonResponse({ items: await filmSubtitles(call, call.var.scope, path) })
    },
  },
  {
    method: 'GET',
    path: `${API.publicFilmSubtitles}/*`,
    needs: 'anyone',
    docs: {
      summary: 'Lists the subtitles inside of a film of a share',
      query: { token: 'the token from the response to the correct password' },
      responses: {
        ...LIST_RESPONSES,
        401: 'a password is needed',
        403: 'the owner’s rights or rules deny it',
      },
    },
    slow: true,
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicFilmSubtitles)
      return jsonResponse({ items: await filmSubtitles(call, scope, path) })
    },
  },
]

/** @throws Fault notFound, forbidden, tooMany (of this user), unavailable (of all users) */
async function filmSubtitles(call: AnyCall, scope: Scope, path: TreePath) {
  await scope.recheck('download', path)
  const node = await scope.stat(path)
  using _ = call.var.limits.media.acquire(limitKey(call))
  return await call.var.app.filmSubtitles.list(scope, node)
}

/** @throws as `webVtt`, and as `trackOf` */
async function sendSubtitles(call: AnyCall, scope: Scope, path: TreePath): Promise<Response> {
  const { track, encoding } = call.req.query()
  const text = track === undefined ? undefined : await trackOf(call, scope, path, track)
  return sendTextQueued(call, async () => text ?? webVtt(scope, path, encoding), {
    'Content-Type': 'text/vtt; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': USER_BYTES_POLICY,
  })
}

/** @throws Fault badRequest (`track` is no number), notFound, forbidden, and as `FilmSubtitles.webVtt` */
async function trackOf(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
  track: string,
): Promise<string> {
  if (!/^\d{1,4}$/.test(track)) throw new Fault('badRequest', 'The track must be a number.')
  await scope.recheck('download', path)
  const node = await scope.stat(path)
  using _ = call.var.limits.media.acquire(limitKey(call))
  return await call.var.app.filmSubtitles.webVtt(scope, node, Number(track))
}
