/** URLs of content that the browser requests itself: downloads and pictures. The cookie authenticates them. */

import type { Entry } from '#wire/api/entry.ts'
import { API, queryString, urls } from '#wire/api/routes.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { withBase } from '../page/location.ts'

/** The content of one file, to download or (`inline`) to show. */
export function rawUrl(path: TreePath, inline = false): string {
  return withBase(urls.raw(path, inline))
}

/** An archive of several entries of one folder; of the whole folder if no entry is given. */
export function archiveUrl(
  folder: TreePath,
  names: readonly string[],
  format: ArchiveFormatName = 'zip',
): string {
  return withBase(urls.archive(folder, names, format))
}

/** A file in an archive, to download or (`inline`) to show. */
export function archiveFileUrl(archive: TreePath, inside: TreePath, inline = false): string {
  const query = queryString({ inside, inline: inline || undefined })
  return withBase(API.archiveFile + toUrlPath(archive) + query)
}

/** The thumbnail of a file, a square (`thumb`) or in its own aspect ratio; a changed file has another URL. */
export function thumbnailUrl(
  entry: Pick<Entry, 'modified'>,
  path: TreePath,
  size: 'thumb' | 'small' = 'thumb',
): string {
  return previewUrl(size, entry, path)
}

/** A preview of an image in its own aspect ratio, for a row of pictures. */
export function rowPreviewUrl(entry: Pick<Entry, 'modified'>, path: TreePath): string {
  return previewUrl('row', entry, path)
}

/** A preview of an image in the size of a screen, for any image format. */
export function bigPreviewUrl(entry: Pick<Entry, 'modified'>, path: TreePath): string {
  return previewUrl('big', entry, path)
}

/** Subtitles in the format that a media player reads: of a subtitle file, or of a track of a film. */
export function subtitleUrl(path: TreePath, options: SubtitleOptions = {}): string {
  return withBase(API.subtitle + toUrlPath(path) + queryString({ inline: true, ...options }))
}

export interface SubtitleOptions {
  /** Of the file; without one, the server detects it. */
  encoding?: string | undefined
  /** The number of the track in the film. */
  track?: number
}

/** A picture of a file, of one of the sizes above. */
export function previewUrl(
  size: 'thumb' | 'small' | 'row' | 'big',
  { modified }: Pick<Entry, 'modified'>,
  path: TreePath,
): string {
  // A new key prevents that the browser shows a cached preview of the earlier content.
  const key = Date.parse(modified)
  return withBase(`${API.preview}/${size}${toUrlPath(path)}${queryString({ inline: true, key })}`)
}

/** Whether an entry has content: a broken symlink has none. */
export function hasContent({ type }: Pick<Entry, 'type'>): boolean {
  return type !== 'invalid_link'
}
