/** Addresses of public links: the pages people open, and the bytes behind them. */

import type { ArchiveToken } from '#wire/archive-formats.ts'
import { Fault } from '#wire/fault.ts'
import {
  decodeSegment,
  encodeSegment,
  parseUrlPath,
  ROOT,
  type TreePath,
  toUrlPath,
} from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import { withBase } from './location.ts'

export const SHARE = '/share'

/** What opens a link: its hash, and the token that stands for its password. */
export interface ShareKey {
  hash: string
  token?: string | undefined
}

/** A place behind a link. */
export interface ShareAddress {
  hash: string
  /** From the root of what is shared. */
  path: TreePath
}

/**
 * Reads what follows `/share` in the page's address, each segment decoded once.
 *
 * @throws Fault notFound without a hash, badRequest for what does not decode
 */
export function parseShareUrl(rest: string): ShareAddress {
  const [, hash = '', ...below] = rest.split('/')
  if (hash === '') throw new Fault('notFound', 'The link has no hash.')
  return { hash: decodeSegment(hash), path: parseUrlPath(`/${below.join('/')}`).path }
}

/** The app's address of a link's page, or of a place behind the link. */
export function sharePageUrl(hash: string, path: TreePath = ROOT, asFolder = false): string {
  return `${SHARE}/${encodeSegment(hash)}${below(path, asFolder)}`
}

/** The bytes of a file, to keep or (`inline`) to look at. */
export function publicFileUrl({ hash, token }: ShareKey, path: TreePath, inline = false): string {
  return bytesUrl(hash, path, { inline: inline || undefined, token })
}

/**
 * What somebody else may be given for one file: its bytes, or behind a password its page, which asks
 * for that. The token of whoever has said the password stays here.
 */
export function fileLinkUrl(share: ShareKey, path: TreePath): string {
  if (share.token) return withBase(sharePageUrl(share.hash, path))
  return publicFileUrl(share, path)
}

/** Several things of one folder as an archive; the whole folder when none is named. */
export function publicArchiveUrl(
  { hash, token }: ShareKey,
  folder: TreePath,
  names: readonly string[],
  algo: ArchiveToken = 'zip',
): string {
  // Each name is encoded on its own, so that a comma in a name does not separate (docs/api.md 1.7).
  const files = names.length > 0 ? names.map(encodeSegment).join(',') : undefined
  return bytesUrl(hash, folder, { files, algo, token })
}

/** A small (`thumb`) or screen-filling (`big`) picture of an image. */
export function publicPreviewUrl(
  { hash, token }: ShareKey,
  size: 'thumb' | 'big',
  path: TreePath,
  { modified }: { modified: string },
): string {
  const address = `${API.publicPreview}/${size}/${encodeSegment(hash)}${below(path, false)}`
  return withBase(address + queryString({ inline: true, key: Date.parse(modified), token }))
}

/** With scheme and host, to leave this browser by clipboard or QR code. */
export function absoluteUrl(url: string): string {
  return location.origin + url
}

function bytesUrl(hash: string, path: TreePath, query: Parameters<typeof queryString>[0]): string {
  const address = `${API.publicDownload}/${encodeSegment(hash)}${below(path, false)}`
  return withBase(address + queryString(query))
}

function below(path: TreePath, asFolder: boolean): string {
  return path === ROOT ? '' : toUrlPath(path, asFolder)
}
