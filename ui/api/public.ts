/** What anybody with a link may see. */
import type { FileEntry, Listing } from '#wire/entry.ts'
import { ROOT, type TreePath, toUrlPath } from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import { SHARE_PASSWORD_HEADER } from '#wire/share.ts'
import { requestJson } from './request.ts'

/** A shared thing (docs/api.md 1.14): paths begin at the root of what is shared. */
export type SharedEntry = (FileEntry | Listing) & {
  /** Opens downloads of a link that has a password. */
  token?: string
  /** Seconds since 1970; 0 is for ever, and absent when the server does not say. */
  expire?: number
}

/** Either of them opens a link with a password. */
export interface ShareCredentials {
  password?: string | undefined
  token?: string | undefined
}

/** @throws Fault unauthenticated without a good proof, tooMany, notFound also when it is over, forbidden */
export function readShare(
  hash: string,
  path: TreePath,
  { password, token }: ShareCredentials,
  signal?: AbortSignal,
): Promise<SharedEntry> {
  const subpath = path === ROOT ? '' : toUrlPath(path)
  const url = `${API.publicShare}/${encodeURIComponent(hash)}${subpath}${queryString({ token })}`
  // A header cannot hold every letter, so the password is percent-encoded (docs/api.md 1.14).
  const headers: Record<string, string> =
    password === undefined ? {} : { [SHARE_PASSWORD_HEADER]: encodeURIComponent(password) }
  return requestJson<SharedEntry>(url, { signal, headers, anonymous: true })
}
