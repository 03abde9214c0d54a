import { bigPreviewUrl, thumbnailUrl } from '#ui/lib/links.ts'
import { isDrawn, settings } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'

/** The small picture of an image, and of a film where the server draws them. */
export function thumbnailSource(entry: Entry): string | undefined {
  return isDrawn(entry.type) ? thumbnailUrl(entry, entry.path) : undefined
}

/**
 * A picture for the gallery, whole and in its own proportions. Where the server draws no large
 * previews it would send originals, so the small square one has to do.
 */
export function pictureSource(entry: Entry): string {
  return (settings.ResizePreview ? bigPreviewUrl : thumbnailUrl)(entry, entry.path)
}
