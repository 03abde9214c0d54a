/** Requests for public shares, which need no account. */

import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import type { FileEntry, Listing } from '#wire/api/entry.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { SHARE_PASSWORD_HEADER, type ShareOwnerInfo } from '#wire/api/share.ts'
import { ROOT, type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'
import { type EndRange, type FilePart, partOf, rangeHeaders } from './resources.ts'

/** A shared file or folder (docs/api.md 1.14): paths begin at the root of the share. */
export type SharedEntry = (FileEntry | Listing) &
  ShareOwnerInfo & {
    /** Authenticates downloads of a share that has a password. */
    token?: string
    /** Unix time in seconds; 0 means never; absent if the server does not send it. */
    expire?: number
  }

/** Either of them opens a share that is protected by a password. `readShare` returns the token. */
export interface ShareCredentials {
  password?: string | undefined
  token?: string | undefined
}

/**
 * @param hash the id of the share, from its URL
 * @throws Fault unauthenticated (no valid password or token), tooMany (attempts), notFound (also if it has expired),
 *   forbidden
 */
export function readShare(
  hash: string,
  path: TreePath,
  { password, token }: ShareCredentials,
  signal?: AbortSignal,
): Promise<SharedEntry> {
  const subpath = path === ROOT ? '' : toUrlPath(path)
  const url = `${API.publicShare}/${encodeURIComponent(hash)}${subpath}${queryString({ token })}`
  // A header cannot contain every character, so the password is percent-encoded (docs/api.md 1.14).
  const headers: Record<string, string> =
    password === undefined ? {} : { [SHARE_PASSWORD_HEADER]: encodeURIComponent(password) }
  return requestJson<SharedEntry>(url, { signal, headers, anonymous: true })
}

/**
 * @returns the content of a file in a share
 * @throws Fault unauthenticated, notFound, forbidden
 */
export function readSharedBytes(
  share: ShareKey,
  path: TreePath,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return download(share, path, { signal })
}

/**
 * @returns the first or last bytes of a file in a share; all, if it has fewer
 * @throws Fault unauthenticated, notFound, forbidden
 */
export async function readSharedPart(
  share: ShareKey,
  path: TreePath,
  range: EndRange,
  signal: AbortSignal,
): Promise<FilePart> {
  return partOf(await requestContent(share, path, { signal, headers: rangeHeaders(range) }))
}

async function download(
  share: ShareKey,
  path: TreePath,
  options: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await requestContent(share, path, options)).arrayBuffer())
}

interface DownloadOptions {
  signal: AbortSignal
  headers?: Record<string, string>
}

function requestContent(
  { hash, token }: ShareKey,
  path: TreePath,
  options: DownloadOptions,
): Promise<Response> {
  const subpath = path === ROOT ? '' : toUrlPath(path)
  const url = `${API.publicDownload}/${encodeURIComponent(hash)}${subpath}${queryString({ token })}`
  return request(url, { ...options, anonymous: true })
}
