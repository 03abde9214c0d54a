import { bigPreviewUrl, rowPreviewUrl, thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import {
  hasTextPicture,
  hasThumbnail,
  rowThumbnailOf,
  settings,
} from '#ui/state/session/settings.ts'
import type { Entry } from '#wire/api/entry.ts'

/** The URL of the small picture in a row; undefined for files that have none. A document is shown as a whole page. */
export function rowSource(entry: Entry): string | undefined {
  return hasThumbnail(entry) ? thumbnailUrl(entry, entry.path, rowThumbnailOf(entry)) : undefined
}

/** As `rowSource`, for tiles: a square, which is large enough to show the first lines of a text. */
export function tileSource(entry: Entry): string | undefined {
  const hasPicture = hasTextPicture(entry) || hasThumbnail(entry)
  return hasPicture ? thumbnailUrl(entry, entry.path) : undefined
}

/** Rows higher than this factor of the default use large previews. */
const LARGE_PREVIEW_ABOVE = 1.25

/**
 * The URL of an uncropped preview for a row of the gallery. If the server makes no previews, it is the URL of the small
 * square thumbnail, because a preview URL would then return the large original file.
 *
 * @param height the height of the row, as a factor of the default
 */
export function pictureSource(entry: Entry, height = 1): string {
  if (!settings.ResizePreview) return thumbnailUrl(entry, entry.path)
  return (height > LARGE_PREVIEW_ABOVE ? bigPreviewUrl : rowPreviewUrl)(entry, entry.path)
}

/** The URL of a picture for the slideshow: the largest preview that the server makes. */
export function slideSource(entry: Entry): string {
  return (settings.ResizePreview ? bigPreviewUrl : thumbnailUrl)(entry, entry.path)
}
