import { bigPreviewUrl, rowPreviewUrl, thumbnailUrl } from '#ui/lib/content-urls.ts'
import { hasThumbnail, settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'

/** The small square thumbnail; undefined for files that have none. */
export function thumbnailSource(entry: Entry): string | undefined {
  return hasThumbnail(entry) ? thumbnailUrl(entry, entry.path) : undefined
}

/** Rows higher than this factor of the default use large previews. */
const LARGE_PREVIEW_ABOVE = 1.25

/**
 * An uncropped picture for a row of the gallery. If the server makes no previews, their URLs send the original file,
 * so the small square thumbnail is used.
 *
 * @param height of a row, as a factor of the default
 */
export function pictureSource(entry: Entry, height = 1): string {
  if (!settings.ResizePreview) return thumbnailUrl(entry, entry.path)
  return (height > LARGE_PREVIEW_ABOVE ? bigPreviewUrl : rowPreviewUrl)(entry, entry.path)
}

/** A picture for the slideshow, as large as the server's previews are. */
export function slideSource(entry: Entry): string {
  return (settings.ResizePreview ? bigPreviewUrl : thumbnailUrl)(entry, entry.path)
}
