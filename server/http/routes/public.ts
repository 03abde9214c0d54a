/** Public shares: visitors may look and download (docs/api.md 1.14). */

import { z } from 'zod'
import { ScopeFolder } from '#server/access/scope/scope-folder.ts'
import type { StoredShare } from '#server/db/rows/shares.ts'
import { requireLinkTarget, subtitlesOf } from '#server/files/content/file.ts'
import { entryOf } from '#server/files/entry.ts'
import { typeByName } from '#server/files/file-types.ts'
import { listing } from '#server/files/listing/listing.ts'
import type { OpenedShare } from '#server/shares/share-opener.ts'
import type { Entry, FileEntry, Listing } from '#wire/api/entry.ts'
import { albumFactsShape, folderMediaShape } from '#wire/api/media.ts'
import { API } from '#wire/api/routes.ts'
import { SHARE_PASSWORD_HEADER, type ShareOwnerInfo } from '#wire/api/share.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { entryShape, listingShape } from '#wire/shapes/response-shapes.ts'
import { downloadAny } from '../content/archive-download.ts'
import { MEDIA_QUERY, MEDIA_REFUSED, publicMedia } from '../content/media.ts'
import { PREVIEW_QUERY, PREVIEW_RESPONSES, previewSizeOf, sendPreview } from '../content/preview.ts'
import type { PublicCall, Route } from '../context/context.ts'
import { DOWNLOAD_QUERY, DOWNLOAD_RESPONSES } from '../context/route-docs.ts'
import { auditPublic, openShare } from '../request/open-share.ts'
import { isPreviewRobot } from '../request/preview-robots.ts'
import { redirectToContentOrigin } from '../response/content-origin.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { jsonResponse } from '../response/present.ts'
import { isLaterPart } from '../response/ranges.ts'

export const publicRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.publicShare}/*`,
    needs: 'anyone',
    audit: (call) => auditPublic(call, 'publicLook', API.publicShare),
    docs: {
      summary: 'Reads a shared file or lists a shared folder',
      query: { token: 'the token from the response to the correct password' },
      headers: { [SHARE_PASSWORD_HEADER]: 'the password, percent-encoded' },
      responses: {
        200: {
          description:
            'the file or folder, with `token` if there is a password, `expire`, and `sharedBy` and `message` if the owner chose to show them',
          shape: z.union([listingShape, entryShape]),
        },
        401: 'a password is needed',
        403: 'the owner’s rights or rules deny it',
        404: 'there is no such share, or it has expired',
        429: 'too many attempts',
        503: 'too many requests are waiting',
      },
    },
    async handle(call) {
      const open = await openShare(call, API.publicShare)
      const token = open.share.passwordHash === '' ? {} : { token: open.share.token }
      const { expiresSec } = open.share
      return sendJsonQueued(call, async () => {
        const shown = await presentShared(open)
        if (isVisit(call, API.publicShare, open.share)) call.var.app.shares.countVisit(open.share)
        return { ...shown, ...ownerInfoOf(open), expire: expiresSec, ...token }
      })
    },
  },
  {
    method: 'GET',
    path: `${API.publicDownload}/*`,
    needs: 'anyone',
    audit: (call) => auditPublic(call, 'publicDownload', API.publicDownload),
    docs: {
      summary: 'Downloads a shared file, or a shared folder as an archive',
      query: { ...DOWNLOAD_QUERY, token: 'the token from the response to the correct password' },
      headers: { [SHARE_PASSWORD_HEADER]: 'the password, percent-encoded' },
      responses: {
        ...DOWNLOAD_RESPONSES,
        401: 'a password is needed',
        403: 'the owner’s rights or rules deny it',
        429: 'too many attempts',
      },
    },
    async handle(call) {
      const { share, scope, path } = await openShare(call, API.publicDownload)
      const redirect = await redirectToContentOrigin(call)
      if (redirect) return redirect
      const response = await downloadAny(call, scope, path, nameOf(share.path) || 'files')
      // Not before: a refused request is no visit.
      if (isVisit(call, API.publicDownload, share) && !continuesVisit(call)) {
        call.var.app.shares.countVisit(share)
      }
      return response
    },
  },
  {
    method: 'GET',
    path: `${API.publicPreview}/:size/*`,
    needs: 'anyone',
    docs: {
      summary: 'Returns a preview of a shared image',
      query: { ...PREVIEW_QUERY, token: 'the token from the response to the correct password' },
      responses: {
        ...PREVIEW_RESPONSES,
        401: 'a password is needed',
        403: 'the owner’s rights or rules deny it',
        429: 'too many attempts',
      },
    },
    slow: true,
    async handle(call) {
      const size = previewSizeOf(call)
      const { scope, path } = await openShare(call, `${API.publicPreview}/${size}`)
      return sendPreview(call, scope, path, size)
    },
  },
  {
    method: 'GET',
    path: `${API.publicMedia}/*`,
    needs: 'anyone',
    docs: {
      summary: 'Returns the dimensions and dates of shared pictures and the length of films',
      query: { ...MEDIA_QUERY, token: 'the token from the response to the correct password' },
      responses: {
        200: {
          description: 'of a file, or of a folder',
          shape: z.union([folderMediaShape, albumFactsShape]),
        },
        401: 'a password is needed',
        ...MEDIA_REFUSED,
      },
    },
    slow: true,
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicMedia)
      return jsonResponse(await publicMedia(call, scope, path))
    },
  },
]

/**
 * Whether the request is a visit: a GET of the share itself, not of a path below a folder, and not by a preview service.
 */
function isVisit(call: PublicCall, prefix: string, { isFolder }: StoredShare): boolean {
  const { method } = call.req
  if (method === 'HEAD' || isPreviewRobot(call.req.header('user-agent'))) return false
  if (!isFolder) return true
  const [, , ...below] = call.var.path.slice(prefix.length).split('/')
  return below.every((part) => part === '')
}

/**
 * Whether the request belongs to a visit that is counted already: the page of the share makes it, or it continues a
 * download with a range that does not begin at the first byte.
 */
function continuesVisit(call: PublicCall): boolean {
  const site = call.req.header('Sec-Fetch-Site')
  return site === 'same-origin' || site === 'same-site' || isLaterPart(call.req.header('range'))
}

/** The owner's name and message, if the owner chose to show them. */
function ownerInfoOf({ share, scope }: OpenedShare): ShareOwnerInfo {
  return {
    ...(share.showsOwner && { sharedBy: scope.actor.username }),
    ...(share.message && { message: share.message }),
  }
}

/**
 * A shared file has an empty path, as in File Browser (docs/api.md 1.14). This is no tree path, but the type of an entry
 * requires one.
 */
const NO_PATH = '' as TreePath

/** Visitors get no data that requires opening files. */
const NAMES_ONLY = { inside: false, subtitles: false }

/** The shared entry for visitors: paths from the share's root, no content (docs/api.md 1.14). */
async function presentShared({ share, scope, path }: OpenedShare): Promise<Entry | Listing> {
  const node = await scope.openOrStat(path)
  if (!(node instanceof ScopeFolder)) {
    requireLinkTarget(node)
    const entry: FileEntry = entryOf(node, typeByName(node))
    // The subtitles beside a shared file are other files, which are not shared.
    if (!share.isFolder) return { ...entry, path: NO_PATH }
    return { ...entry, ...(entry.type === 'video' && (await subtitlesOf(scope, path))), path }
  }
  using folder = node
  const listed = await listing(scope, folder, { by: 'name', asc: true }, NAMES_ONLY)
  return { ...listed, name: nameOf(share.path) || '.' }
}
