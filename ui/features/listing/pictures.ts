import { bigPreviewUrl, rowPreviewUrl, thumbnailUrl } from '#ui/lib/content-urls.ts'
import { hasThumbnail, settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'

/** The thumbnail of an image, or of a film if the server makes such thumbnails. */
export function thumbnailSource(entry: Entry): string | undefined {
  return hasThumbnail(entry.type) ? thumbnailUrl(entry, entry.path) : undefined
}

/** Rows higher than this factor of the default need larger pictures. */
const ROW_HEIGHT_MAX = 1.25

/**
 * A picture for the gallery in its own aspect ratio. If the server makes no large previews, it would send originals,
 * so the small square thumbnail is used.
 *
 * @param height of a row, as a factor of the default
 */
export function pictureSource(entry: Entry, height = 1): string {
  if (!settings.ResizePreview) return thumbnailUrl(entry, entry.path)
  return (height > ROW_HEIGHT_MAX ? bigPreviewUrl : rowPreviewUrl)(entry, entry.path)
}

/** A picture in the size of the window. */
export function slideSource(entry: Entry): string {
  return (settings.ResizePreview ? bigPreviewUrl : thumbnailUrl)(entry, entry.path)
}
