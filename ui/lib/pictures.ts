/** Where the bytes of a picture come from, so that a browser can show it. */
import type { Entry } from '#wire/entry.ts'
import { extensionOf, type TreePath } from '#wire/paths.ts'
import { bigPreviewUrl, rawUrl } from './links.ts'

/** What every browser of today shows by itself. */
const SHOWN = new Set('apng avif bmp gif ico jfif jpe jpeg jpg png svg webp'.split(' '))
/** Those of them that lose something when they are drawn smaller: movement, or sharp edges. */
const WHOLE_ONLY = new Set('apng avif gif ico svg webp'.split(' '))
/** Smaller files are shown as they are. */
const SMALL_BYTES = 512 * 1024

/** A preview of this width or height may stand for something larger (docs/api.md 1.8). */
export const PREVIEW_PX = 1080

export interface PictureSources {
  /** Undefined when no browser shows the original. */
  full: string | undefined
  /** Drawn by the server; undefined when it would not be better than the original. */
  preview: string | undefined
}

/** The addresses of a picture. */
export function picturesOf(
  file: Pick<Entry, 'name' | 'size' | 'modified'>,
  path: TreePath,
  previews: boolean,
): PictureSources {
  const extension = extensionOf(file.name).slice(1).toLowerCase()
  if (!SHOWN.has(extension)) return { full: undefined, preview: bigPreviewUrl(file, path) }
  const full = rawUrl(path, true)
  const asItIs = WHOLE_ONLY.has(extension) || file.size <= SMALL_BYTES || !previews
  return { full, preview: asItIs ? undefined : bigPreviewUrl(file, path) }
}
