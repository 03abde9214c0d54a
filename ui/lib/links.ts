/** Addresses of bytes that the browser fetches by itself: downloads, pictures. The cookie signs them. */

import type { ArchiveToken } from '#wire/archive-formats.ts'
import type { Entry } from '#wire/entry.ts'
import { encodeSegment, type TreePath, toUrlPath } from '#wire/paths.ts'
import { API, queryString, urls } from '#wire/routes.ts'
import { withBase } from './location.ts'

/** One file's bytes, to keep or (`inline`) to look at. */
export function rawUrl(path: TreePath, inline = false): string {
  return withBase(urls.raw(path, inline))
}

/** Several things of one folder as an archive; the whole folder when none is named. */
export function archiveUrl(
  folder: TreePath,
  names: readonly string[],
  algo: ArchiveToken = 'zip',
): string {
  // Each name is encoded on its own, so that a comma in a name does not separate (docs/api.md 1.7).
  const files = names.length > 0 ? names.map(encodeSegment).join(',') : undefined
  return withBase(API.raw + toUrlPath(folder, true) + queryString({ files, algo }))
}

/** A small picture of an image; a changed file has another address. */
export function thumbnailUrl(entry: Pick<Entry, 'modified'>, path: TreePath): string {
  return previewUrl('thumb', entry, path)
}

/** A picture of an image that fills a screen, whatever its format. */
export function bigPreviewUrl(entry: Pick<Entry, 'modified'>, path: TreePath): string {
  return previewUrl('big', entry, path)
}

/** A subtitle file as a player reads it. */
export function subtitleUrl(path: TreePath): string {
  return withBase(API.subtitle + toUrlPath(path) + queryString({ inline: true }))
}

function previewUrl(size: string, { modified }: Pick<Entry, 'modified'>, path: TreePath): string {
  const key = Date.parse(modified)
  return withBase(`${API.preview}/${size}${toUrlPath(path)}${queryString({ inline: true, key })}`)
}

/** Whether there are bytes behind an entry: a broken link has none. */
export function leadsSomewhere({ type }: Pick<Entry, 'type'>): boolean {
  return type !== 'invalid_link'
}
