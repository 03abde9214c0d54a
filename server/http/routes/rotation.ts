/** Rotates pictures in place (docs/api.md 34). */
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { Call, Route } from '../context/context.ts'
import { CHANGED_SINCE, OK_TEXT_WITH_ETAG, WRITE_RESPONSES } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { pathIn } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'
import { etagOf, mayOverwrite } from '../response/download.ts'
import { okResponse } from '../response/present.ts'

export const rotationRoutes: Route[] = [
  {
    method: 'POST',
    path: `${API.rotation}/*`,
    needs: 'modify',
    appPassword: 'none',
    audit: (call) => ({ action: 'save', path: pathIn(call, API.rotation) }),
    docs: {
      summary:
        'Rotates a picture; the earlier content becomes a version. A JPEG gets another orientation in its metadata, and its pixels stay as they are',
      query: { degrees: '`90`, `180` or `270`, clockwise' },
      headers: { 'If-Match': 'the `ETag` of the picture that the user saw' },
      responses: {
        ...WRITE_RESPONSES,
        200: OK_TEXT_WITH_ETAG,
        400: 'no such rotation',
        412: CHANGED_SINCE,
        413: 'too many bytes or pixels',
        415: 'not a JPEG, PNG or WebP file, or an animation',
        422: 'the picture is damaged',
        429: 'this user waits for too many previews',
        503: 'too many previews are waiting',
      },
    },
    slow: true,
    async handle(call) {
      const { scope, app } = call.var
      const { path } = pathAfter(call, API.rotation)
      const quarters = quartersOf(call)
      call.set('recheckAccess', () => scope.recheck('modify', path))
      const node = await scope.stat(path)
      using _ = call.var.limits.previews.acquire(limitKey(call))
      const mayReplace = mayOverwrite(call)
      const saved = await scope.save(
        path,
        () => app.previews.rotated(scope, node, quarters),
        (present) => present.version === node.version && mayReplace(present),
      )
      const audited = pathIn(call, API.rotation)
      call.set('auditNote', { action: 'save', path: audited, bytes: saved.sizeBytes })
      return okResponse(call, { ETag: etagOf(saved) })
    },
  },
]

/** @throws Fault badRequest */
function quartersOf(call: Call): number {
  const quarters = ['90', '180', '270'].indexOf(call.req.query('degrees') ?? '') + 1
  if (quarters > 0) return quarters
  throw new Fault('badRequest', 'The parameter degrees must be 90, 180 or 270.')
}
