/** The URLs from which a browser can show a picture. */

import type { Entry } from '#wire/api/entry.ts'
import { extensionOf, type TreePath } from '#wire/paths.ts'
import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'
import { previewUrl, rawUrl } from './content-urls.ts'

/** Formats that every current browser shows. */
const SHOWN_FORMATS = new Set('apng avif bmp gif ico jfif jpe jpeg jpg png svg webp'.split(' '))
/** Formats that lose something when they are scaled down: animation, or sharp edges. */
const WHOLE_ONLY = new Set('apng avif gif ico svg webp'.split(' '))

/** A preview of this width or height may represent a larger picture (docs/api.md 1.8). */
export const PREVIEW_PX = 1080

/** Whether every current browser shows a file of this name as a picture. */
export function isPictureName(name: string): boolean {
  return SHOWN_FORMATS.has(extensionOf(name).slice(1).toLowerCase())
}

/** Whether a picture of this size is not shown, because of its memory. */
export function hasTooManyPixels(size: { width: number; height: number } | undefined): boolean {
  return size !== undefined && size.width * size.height > ON_DEMAND_LIMITS.pictureMaxPixels
}

/** The URLs of a picture: its content, and a preview. */
interface PictureUrls {
  content(path: TreePath, isShown?: boolean): string
  preview(size: 'big', entry: Pick<Entry, 'modified'>, path: TreePath): string
}

const OWN_PICTURES: PictureUrls = { content: rawUrl, preview: previewUrl }

export interface PictureSources {
  /** Undefined if browsers cannot show the original. */
  full: string | undefined
  /** Made by the server; undefined if it has no advantage over the original. */
  preview: string | undefined
}

/** @param hasPreviews whether the server makes previews */
export function picturesOf(
  file: Pick<Entry, 'name' | 'size' | 'modified'>,
  path: TreePath,
  hasPreviews: boolean,
  urls = OWN_PICTURES,
): PictureSources {
  const extension = extensionOf(file.name).slice(1).toLowerCase()
  const big = urls.preview('big', file, path)
  if (!isPictureName(file.name)) return { full: undefined, preview: big }
  // As for previews: a new key, so that the browser does not show the earlier content of a changed file.
  const full = `${urls.content(path, true)}&key=${Date.parse(file.modified)}`
  const isOriginalShown =
    WHOLE_ONLY.has(extension) || file.size <= ON_DEMAND_LIMITS.smallPictureMaxBytes || !hasPreviews
  return { full, preview: isOriginalShown ? undefined : big }
}

/** Formats without a preview: the server sends an animation as it is, and draws no icons. */
const WITHOUT_PREVIEW = new Set(['apng', 'gif', 'ico'])

/**
 * The URL of a picture that the user has not opened: a preview, because each request for an original is recorded as an
 * opening. Undefined if there is none.
 */
export function unopenedPictureOf(
  file: Pick<Entry, 'name' | 'modified'>,
  path: TreePath,
  hasPreviews: boolean,
  urls: Pick<PictureUrls, 'preview'> = OWN_PICTURES,
): string | undefined {
  const extension = extensionOf(file.name)
  // `.png` is a hidden file of any content.
  const mayBePicture =
    extension !== file.name && !WITHOUT_PREVIEW.has(extension.slice(1).toLowerCase())
  return hasPreviews && mayBePicture ? urls.preview('big', file, path) : undefined
}
