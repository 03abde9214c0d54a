/** What takes up the space in a folder, and files with the same content (docs/api.md 33). */

import { findSameContent } from '#server/files/space/same-content.ts'
import { reportSpace } from '#server/files/space/space-report.ts'
import { API } from '#wire/api/routes.ts'
import { spaceShape } from '#wire/api/space.ts'
import type { Route } from '../context/context.ts'
import { limitKey, streamResponse } from '../lifetime/in-flight.ts'
import { pathAfter } from '../request/input.ts'
import { jsonResponse } from '../response/present.ts'
import { jsonLines } from './search.ts'

const REFUSED = {
  403: 'a rule denies it',
  404: 'there is no such folder',
  429: 'this user has too many of these requests in progress',
  503: 'too many of these requests run',
} as const

export const spaceRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.space}/*`,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary:
        'Sums up what takes up space below a folder: its entries, kinds of files, the largest and the oldest files',
      responses: { 200: { description: 'the sums', shape: spaceShape }, ...REFUSED },
    },
    slow: true,
    async handle(call) {
      const { path } = pathAfter(call, API.space)
      const { limits, scope } = call.var
      using _ = limits.searches.acquire(limitKey(call))
      return jsonResponse(await reportSpace(scope, path, call.req.raw.signal))
    },
  },
  {
    method: 'GET',
    path: `${API.sameContent}/*`,
    needs: 'download',
    appPassword: 'none',
    docs: {
      summary:
        'Finds files with the same content below a folder: lines of JSON with such files, and lines with the progress',
      responses: {
        200: {
          description: '`same`: entries with the same content; `done` and `total`: bytes',
          type: 'application/x-ndjson',
        },
        ...REFUSED,
        403: 'the right to download is missing, or a rule denies it',
      },
    },
    slow: true,
    async handle(call) {
      const { path } = pathAfter(call, API.sameContent)
      const { limits, scope } = call.var
      // The status cannot change after the first line.
      await scope.list(path)
      const permit = limits.checksums.acquire(limitKey(call))
      const stop = new AbortController()
      call.set('recheckAccess', () => scope.recheck('download', path))
      return streamResponse(
        call,
        jsonLines(findSameContent(scope, path, stop.signal), stop),
        { headers: { 'Content-Type': 'application/x-ndjson' } },
        permit,
      )
    },
  },
]
