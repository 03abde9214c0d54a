/** A picture's smaller picture as an answer, whoever asks for it (docs/api.md 1.8, docs/decisions.md 24). */

import type { Scope } from '#server/access/scope.ts'
import { typeByName } from '#server/files/file-types.ts'
import { PREVIEW_SIZES, type PreviewSize } from '#server/files/preview.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { AnyCall } from './context.ts'
import { download } from './download.ts'
import { USER_BYTES_POLICY } from './headers.ts'
import { limitKey } from './in-flight.ts'
import { BYTES, type RouteDocs } from './route-docs.ts'

/**
 * What File Browser's interface fetches and decodes by itself: it wants the format that the name says. A
 * browser that asks for a picture says so in its `Accept`.
 */
const TIFF = /\.tiff?$/i
const CAMERA_RAW = /\.(?:dng|cr2|nef)$/i

/** Animations keep moving: their own bytes are the best preview of their large size. */
const SENT_AS_THEY_ARE = /\.gif$/i

export const PREVIEW_QUERY = {
  inline: '`true` shows instead of saves',
  key: 'anything; it makes the address another one',
}

export const PREVIEW: RouteDocs['answers'] = {
  ...BYTES,
  200: { description: 'the picture', type: 'image/*' },
  400: 'no such size',
  413: 'too many pixels or bytes',
  415: 'there is no preview of this',
  422: 'the picture cannot be read, or not in time',
  429: 'this person waits for too many pictures',
  503: 'too many pictures are being drawn',
}

/** @throws Fault as `Previews.get`, and unsupported for what is no picture */
export async function preview(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
  size: PreviewSize,
): Promise<Response> {
  const { app } = call.var
  const node = await scope.stat(path)
  const kind = typeByName(node)
  if (!app.previews.shows(kind)) throw new Fault('unsupported', 'There is no preview of this.')
  const wanted = app.config.flag(size === 'thumb' ? 'thumbnails' : 'resizePreview')
  const moves = size === 'big' && SENT_AS_THEY_ARE.test(path)
  const decodes = size === 'big' && !call.req.header('accept')?.includes('image/')
  const raw = decodes && CAMERA_RAW.test(path)
  if (kind === 'image' && (!wanted || moves || raw)) return download(call, scope, path)
  if (!wanted) throw new Fault('unsupported', 'Previews are switched off.')
  const want = { size, as: decodes && TIFF.test(path) ? ('tiff' as const) : undefined }
  const headers = new Headers({
    ETag: `"${app.previews.keyOf(scope, node, want).slice(0, 32)}"`,
    Vary: 'Accept',
    'Last-Modified': new Date(node.modifiedMs).toUTCString(),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': USER_BYTES_POLICY,
  })
  if (call.req.header('if-none-match') === headers.get('etag')) {
    return new Response(null, { status: 304, headers })
  }
  using _ = call.var.limits.previews.acquire(limitKey(call))
  const { bytes, type } = await app.previews.get(scope, node, want, call.req.raw.signal)
  headers.set('Content-Type', type)
  return new Response(bytes.slice(), { headers })
}

/** @throws Fault badRequest */
export function sizeOf(call: AnyCall): PreviewSize {
  const asked = call.req.param('size') ?? ''
  if (Object.hasOwn(PREVIEW_SIZES, asked)) return asked as PreviewSize
  throw new Fault('badRequest', `${asked} is not a valid PreviewSize, try [thumb, big]`)
}
