/** Requests for the content of archives (docs/api.md 31). */
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import { publicPath } from '#ui/lib/urls/share-urls.ts'
import type { ArchiveFolder } from '#wire/api/archive-contents.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * Lists a folder in an archive.
 *
 * @throws Fault notFound, forbidden, conflict (`inside` is not a folder), unprocessable (damaged, encrypted), tooLarge,
 *   unsupported, tooMany, unavailable; aborted by the signal
 */
export function list(
  archive: TreePath,
  inside: TreePath,
  signal: AbortSignal,
): Promise<ArchiveFolder> {
  const url = API.archive + toUrlPath(archive) + queryString({ inside })
  return requestJson<ArchiveFolder>(url, { signal })
}

/**
 * Lists a folder in an archive of a share.
 *
 * @throws Fault unauthenticated (the share needs a password), and those of `list`
 */
export function listShared(
  { hash, token }: ShareKey,
  archive: TreePath,
  inside: TreePath,
  signal: AbortSignal,
): Promise<ArchiveFolder> {
  const url = API.publicArchive + publicPath(hash, archive) + queryString({ inside, token })
  return requestJson<ArchiveFolder>(url, { signal, anonymous: true })
}

/**
 * @returns the content of a file in an archive
 * @throws Fault as `list`; conflict if `inside` is a folder
 */
export function read(archive: TreePath, inside: TreePath, signal: AbortSignal) {
  const url = API.archiveFile + toUrlPath(archive) + queryString({ inside })
  return bytesOf(request(url, { signal }))
}

/**
 * @returns the content of a file in an archive of a share
 * @throws Fault as `listShared`
 */
export function readShared(
  { hash, token }: ShareKey,
  archive: TreePath,
  inside: TreePath,
  signal: AbortSignal,
) {
  const url = API.publicArchiveFile + publicPath(hash, archive) + queryString({ inside, token })
  return bytesOf(request(url, { signal, anonymous: true }))
}

async function bytesOf(response: Promise<Response>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await response).arrayBuffer())
}
