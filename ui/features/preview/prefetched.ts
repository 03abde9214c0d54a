/** Pictures that are loaded before they are shown. */

import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { hasTooManyPixels } from '#ui/lib/urls/pictures.ts'
import type { PixelSize } from './zoom.ts'

/** Holding the elements keeps the pictures in the memory of the browser. */
const pictures = new Map<string, HTMLImageElement>()

/** Loads a picture. Only the last ones are kept (`prefetchedPicturesMax`). */
export function prefetch(src: string): void {
  const picture = pictures.get(src) ?? new Image()
  pictures.delete(src)
  pictures.set(src, picture)
  if (!picture.src) picture.src = src
  for (const old of [...pictures.keys()].slice(0, -ON_DEMAND_LIMITS.prefetchedPicturesMax))
    pictures.delete(old)
}

/** @returns the picture with its size in pixels, if it is loaded: it can be shown at once */
export function prefetched(src: string | undefined): { src: string; size: PixelSize } | undefined {
  const picture = src === undefined ? undefined : pictures.get(src)
  if (src === undefined || !picture?.complete || picture.naturalWidth === 0) return undefined
  const size = { width: picture.naturalWidth, height: picture.naturalHeight }
  return hasTooManyPixels(size) ? undefined : { src, size }
}
