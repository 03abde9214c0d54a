/** Pictures of pictures (contract 1.8, decisions 24). */

import { typeByName } from '#server/files/kinds.ts'
import { PREVIEW_SIZES, type PreviewSize } from '#server/files/preview.ts'
import { Fault } from '#wire/fault.ts'
import { API } from '#wire/routes.ts'
import { BYTES } from '../about.ts'
import type { Call, Route } from '../context.ts'
import { download } from '../download.ts'
import { USER_BYTES_POLICY } from '../headers.ts'
import { pathAfter } from '../input.ts'

/** Animations keep moving: their own bytes are the best preview of their large size. */
const SENT_AS_THEY_ARE = /\.gif$/i

export const previewRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.preview}/:size/*`,
    needs: 'download',
    about: {
      summary:
        'Sends a small picture of a picture: `thumb` is 256 pixels, cut to a square; `big` fits into 1080',
      query: {
        inline: '`true` shows instead of saves',
        key: 'anything; it makes the address another one',
      },
      answers: {
        ...BYTES,
        200: { words: 'the picture', type: 'image/*' },
        400: 'no such size',
        413: 'too many pixels or bytes',
        415: 'there is no preview of this',
        422: 'the picture cannot be read',
        503: 'too many pictures are being drawn',
      },
    },
    slow: true,
    async handle(call) {
      const { scope, app } = call.var
      const size = sizeOf(call)
      const { path } = pathAfter(call, `${API.preview}/${size}`)
      const node = await scope.stat(path)
      if (typeByName(node) !== 'image')
        throw new Fault('unsupported', 'There is no preview of this.')
      const wanted = app.config.flag(size === 'thumb' ? 'thumbnails' : 'resizePreview')
      const moves = size === 'big' && SENT_AS_THEY_ARE.test(path)
      if (!wanted || moves) return download(call, scope, path)
      const headers = new Headers({
        ETag: `"${app.previews.keyOf(scope, node, size).slice(0, 32)}"`,
        'Last-Modified': new Date(node.modifiedMs).toUTCString(),
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': USER_BYTES_POLICY,
      })
      if (call.req.header('if-none-match') === headers.get('etag')) {
        return new Response(null, { status: 304, headers })
      }
      const { bytes, type } = await app.previews.get(scope, node, size)
      headers.set('Content-Type', type)
      return new Response(bytes.slice(), { headers })
    },
  },
]

/** @throws Fault badRequest */
function sizeOf(call: Call): PreviewSize {
  const asked = call.req.param('size') ?? ''
  if (Object.hasOwn(PREVIEW_SIZES, asked)) return asked as PreviewSize
  throw new Fault('badRequest', `${asked} is not a valid PreviewSize, try [thumb, big]`)
}
