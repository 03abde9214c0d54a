/** Sends the preview of a picture, film, sound, text or document (docs/api.md 1.8, docs/decisions.md 24). */

import type { Scope } from '#server/access/scope/scope.ts'
import { typeByName } from '#server/files/file-types.ts'
import {
  NoPictureFault,
  PREVIEW_SIZES,
  type PreviewRequest,
  type PreviewSize,
  type PreviewSource,
} from '#server/files/previews/preview.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'
import { FILE_RESPONSES, type RouteDocs } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { isUnchanged, requireConditions } from '../response/conditions.ts'
import { sendDownload } from '../response/download.ts'
import { USER_BYTES_POLICY } from '../response/headers.ts'

/**
 * File Browser's interface decodes TIFF by itself and needs that format. A browser's own request for an image is
 * recognised by its `Accept` header.
 */
const TIFF = /\.tiff?$/i
const CAMERA_RAW = /\.(?:dng|cr2|nef)$/i

/** A GIF is its own large preview, since it may be animated. */
const SENT_UNCHANGED = /\.gif$/i

export const PREVIEW_QUERY = {
  inline: '`true` lets the browser show the picture instead of saving it',
  key: 'any text; a new text makes browsers request the picture again',
}

export const PREVIEW_RESPONSES: RouteDocs['responses'] = {
  ...FILE_RESPONSES,
  200: { description: 'the picture', type: 'image/*' },
  204: 'the file contains no picture',
  400: 'no such size',
  413: 'too many pixels or bytes',
  415: 'there is no preview of this',
  422: 'the picture cannot be read, or not in time',
  429: 'this user waits for too many previews',
  503: 'too many pictures are being drawn',
}

/**
 * @param onOriginal called if the file itself is sent
 * @throws as `Previews.get` and `sendDownload`; Fault precondition (the request is for other content), unsupported (no preview of this kind of file, or previews are off),
 *   tooMany (of this user), unavailable (of all users)
 */
export async function sendPreview(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
  size: PreviewSize,
  onOriginal?: () => void,
): Promise<Response> {
  const { app } = call.var
  const node = await scope.stat(path)
  const kind = typeByName(node)
  const isEnabled = app.config.flag(size === 'thumb' ? 'thumbnails' : 'resizePreview')
  const isSentUnchanged = size === 'big' && SENT_UNCHANGED.test(path)
  const needsDecoding = size === 'big' && !call.req.header('accept')?.includes('image/')
  const isCameraRaw = needsDecoding && CAMERA_RAW.test(path)
  if (kind === 'image' && (!isEnabled || isSentUnchanged || isCameraRaw)) {
    onOriginal?.()
    return sendDownload(call, scope, path)
  }
  const as = needsDecoding && TIFF.test(path) ? ('tiff' as const) : undefined
  return sendRendered(call, scope, node, { size, as })
}

/**
 * As `sendPreview`, of content that is rendered in any case and never sent as it is.
 *
 * @throws as `Previews.get`; Fault precondition, unsupported, tooMany, unavailable
 */
export async function sendRendered(
  call: AnyCall,
  source: PreviewSource,
  node: Node,
  options: PreviewRequest,
): Promise<Response> {
  const { app } = call.var
  if (!app.config.flag(options.size === 'thumb' ? 'thumbnails' : 'resizePreview'))
    throw new Fault('unsupported', 'Previews are switched off on this server.')
  if (!app.previews.hasPreview(typeByName(node), nameOf(node.path)))
    throw new Fault('unsupported', 'There is no preview of this kind of file.')
  const etag = `"${app.previews.keyOf(source, node, options).slice(0, 32)}"`
  const headers = new Headers({
    ETag: etag,
    Vary: 'Accept',
    'Last-Modified': new Date(node.modifiedMs).toUTCString(),
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': USER_BYTES_POLICY,
  })
  requireConditions(call, { etag, modifiedMs: node.modifiedMs })
  // An equal time does not suffice: a preview also depends on the settings.
  if (isUnchanged(call, { etag, modifiedMs: undefined })) {
    return new Response(null, { status: 304, headers })
  }
  using _ = call.var.limits.previews.acquire(limitKey(call))
  try {
    const { bytes, type } = await app.previews.get(source, node, options, call.req.raw.signal)
    headers.set('Content-Type', type)
    return new Response(bytes.slice(), { headers })
  } catch (error) {
    // Not an error status: many recordings have no cover, and browsers report each failed request on their console.
    if (error instanceof NoPictureFault) return new Response(null, { status: 204, headers })
    throw error
  }
}

/** @throws Fault badRequest (no such size) */
export function previewSizeOf(call: AnyCall): PreviewSize {
  const size = call.req.param('size') ?? ''
  if (Object.hasOwn(PREVIEW_SIZES, size)) return size as PreviewSize
  throw new Fault('badRequest', `${size} is not a valid PreviewSize, try [thumb, small, row, big]`)
}
