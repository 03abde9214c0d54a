/** URLs of shares: the pages for visitors, and the content behind them. */

import { API, queryString } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import {
  decodeSegment,
  encodeSegment,
  parseUrlPath,
  ROOT,
  type TreePath,
  toUrlPath,
} from '#wire/paths.ts'
import { withBase, withoutBase } from '../page/location.ts'
import { pageSettings } from '../page/page.ts'
import type { SubtitleOptions } from './content-urls.ts'

export const SHARE = '/share'

/** The credentials of a share: its hash, and the token that replaces its password. */
export interface ShareKey {
  hash: string
  token?: string | undefined
}

/** A path in a share. */
export interface SharePath {
  hash: string
  /** From the root of the share. */
  path: TreePath
}

/**
 * Parses the part of a URL after `/share`; the hash and the path are decoded once each.
 *
 * @throws Fault notFound (no hash), badRequest (it cannot be decoded, or its path is invalid)
 */
export function parseShareUrl(rest: string): SharePath {
  const [, hash = '', ...below] = rest.split('/')
  if (hash === '') throw new Fault('notFound', 'The link has no hash.')
  return { hash: decodeSegment(hash), path: parseUrlPath(`/${below.join('/')}`).path }
}

/** The app's URL of a share's page, or of a path in the share. */
export function sharePageUrl(hash: string, path: TreePath = ROOT, asFolder = false): string {
  return `${SHARE}/${encodeSegment(hash)}${pathInUrl(path, asFolder)}`
}

/** The content of a file, to download or (`inline`) to show. */
export function publicFileUrl({ hash, token }: ShareKey, path: TreePath, inline = false): string {
  return contentUrl(hash, path, { inline: inline || undefined, token })
}

/**
 * The URL of one file for other visitors: its content, or with a password its page, which asks for the password.
 * The token of this visitor is not included.
 */
export function fileLinkUrl(share: ShareKey, path: TreePath): string {
  if (share.token) return withBase(sharePageUrl(share.hash, path))
  return publicFileUrl(share, path)
}

/** An archive of several entries of one folder; of the whole folder if no entry is given. */
export function publicArchiveUrl(
  { hash, token }: ShareKey,
  folder: TreePath,
  names: readonly string[],
  algo: ArchiveFormatName = 'zip',
): string {
  // Each name is encoded separately, so that a comma in a name is no separator (docs/api.md 1.7).
  const files = names.length > 0 ? names.map(encodeSegment).join(',') : undefined
  return contentUrl(hash, folder, { files, algo, token })
}

/** A file in a shared archive, to download or (`inline`) to show. */
export function publicArchiveFileUrl(
  { hash, token }: ShareKey,
  archive: TreePath,
  inside: TreePath,
  inline = false,
): string {
  const query = queryString({ inside, inline: inline || undefined, token })
  return withBase(API.publicArchiveFile + publicPath(hash, archive) + query)
}

/** The path of a shared file or folder in the API, after the prefix of a route. */
export function publicPath(hash: string, path: TreePath): string {
  return `/${encodeSegment(hash)}${pathInUrl(path, false)}`
}

/** A preview of an image: small (`thumb`, a square, or `small`), for a row of pictures (`row`), or for the screen (`big`). */
export function publicPreviewUrl(
  { hash, token }: ShareKey,
  size: 'thumb' | 'small' | 'row' | 'big',
  path: TreePath,
  { modified }: { modified: string },
): string {
  const url = `${API.publicPreview}/${size}/${encodeSegment(hash)}${pathInUrl(path, false)}`
  return withBase(url + queryString({ inline: true, key: Date.parse(modified), token }))
}

/** As `subtitleUrl`, in a share. */
export function publicSubtitleUrl(
  { hash, token }: ShareKey,
  path: TreePath,
  options: SubtitleOptions = {},
): string {
  const query = queryString({ inline: true, ...options, token })
  return withBase(API.publicSubtitle + publicPath(hash, path) + query)
}

/**
 * The URL with scheme and host, for the clipboard or a QR code. On the server's own machine it begins with the public address, if
 * that is set: no other device reaches the address of the page.
 */
export function absoluteUrl(url: string): string {
  const { PublicAddress } = pageSettings()
  return PublicAddress !== '' && isOwnMachine()
    ? PublicAddress + (withoutBase(url) ?? url)
    : location.origin + url
}

/** Whether the page was opened at an address that means the own machine on every machine. */
export function isOwnMachine(): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)
}

function contentUrl(
  hash: string,
  path: TreePath,
  query: Parameters<typeof queryString>[0],
): string {
  const url = `${API.publicDownload}/${encodeSegment(hash)}${pathInUrl(path, false)}`
  return withBase(url + queryString(query))
}

function pathInUrl(path: TreePath, asFolder: boolean): string {
  return path === ROOT ? '' : toUrlPath(path, asFolder)
}
