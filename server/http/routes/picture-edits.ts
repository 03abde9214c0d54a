/** Rotates and crops pictures in place (docs/api.md 34). */
import type { PictureEdit } from '#server/files/previews/thumbnails.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { Call, Route } from '../context/context.ts'
import {
  CHANGED_SINCE,
  OK_TEXT_WITH_ETAG,
  type RouteDocs,
  WRITE_RESPONSES,
} from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { pathIn } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'
import { etagOf, mayOverwrite } from '../response/download.ts'
import { okResponse } from '../response/present.ts'

const EDIT_DOCS: Pick<RouteDocs, 'headers' | 'responses'> = {
  headers: { 'If-Match': 'the `ETag` of the picture that the user saw' },
  responses: {
    ...WRITE_RESPONSES,
    200: OK_TEXT_WITH_ETAG,
    400: 'no such rotation or part',
    412: CHANGED_SINCE,
    413: 'too many bytes or pixels',
    415: 'not a JPEG, PNG or WebP file, or an animation',
    422: 'the picture is damaged',
    429: 'this user waits for too many previews',
    503: 'too many previews are waiting',
  },
}

export const pictureEditRoutes: Route[] = [
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
      ...EDIT_DOCS,
    },
    slow: true,
    handle: (call) => saveEdited(call, API.rotation, { quarters: quartersOf(call) }),
  },
  {
    method: 'POST',
    path: `${API.crop}/*`,
    needs: 'modify',
    appPassword: 'none',
    audit: (call) => ({ action: 'save', path: pathIn(call, API.crop) }),
    docs: {
      summary:
        'Keeps only a part of a picture; the earlier content becomes a version. PNG and lossless WebP lose nothing, others are encoded again',
      query: {
        left: 'the first column of the part, in pixels of the upright picture',
        top: 'its first row',
        width: 'in pixels',
        height: 'in pixels',
      },
      ...EDIT_DOCS,
    },
    slow: true,
    handle: (call) => saveEdited(call, API.crop, { area: areaOf(call) }),
  },
]

/** @throws Fault as `Previews.edited` and `Scope.save`; precondition (the picture has changed) */
async function saveEdited(call: Call, prefix: string, edit: PictureEdit): Promise<Response> {
  const { scope, app } = call.var
  const { path } = pathAfter(call, prefix)
  call.set('recheckAccess', () => scope.recheck('modify', path))
  const node = await scope.stat(path)
  using _ = call.var.limits.previews.acquire(limitKey(call))
  const mayReplace = mayOverwrite(call)
  const saved = await scope.save(
    path,
    () => app.previews.edited(scope, node, edit),
    (current) => current.version === node.version && mayReplace(current),
  )
  const audited = pathIn(call, prefix)
  call.set('auditNote', { action: 'save', path: audited, bytes: saved.sizeBytes })
  return okResponse(call, { ETag: etagOf(saved) })
}

/** @throws Fault badRequest */
function quartersOf(call: Call): number {
  const quarters = ['90', '180', '270'].indexOf(call.req.query('degrees') ?? '') + 1
  if (quarters > 0) return quarters
  throw new Fault('badRequest', 'The parameter degrees must be 90, 180 or 270.')
}

/** @throws Fault badRequest */
function areaOf(call: Call) {
  const number = (name: string): number => {
    const text = call.req.query(name) ?? ''
    if (/^\d{1,6}$/.test(text)) return Number(text)
    throw new Fault('badRequest', `The parameter ${name} must be a whole number.`)
  }
  return {
    left: number('left'),
    top: number('top'),
    width: number('width'),
    height: number('height'),
  }
}
