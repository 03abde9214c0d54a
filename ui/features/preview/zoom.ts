/** The geometry of a zoomed picture. Pure; all lengths are CSS pixels from the centre of the viewer. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

export interface PixelSize {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** `scale` 1 is the fitted size; x and y are the centre of the picture. */
export interface ZoomView extends Point {
  scale: number
}

export const FITTED: ZoomView = { scale: 1, x: 0, y: 0 }

/** The largest size that fits the viewer; larger than the picture itself only if `mayGrow`. */
export function fit(picture: PixelSize, viewer: PixelSize, mayGrow: boolean): PixelSize {
  const largest = Math.min(viewer.width / picture.width, viewer.height / picture.height)
  const scale = mayGrow ? largest : Math.min(1, largest)
  return { width: picture.width * scale, height: picture.height * scale }
}

/** The size of a picture in CSS pixels, if each of its pixels has one pixel of the screen. */
export function inCssPixels({ width, height }: PixelSize, devicePixelRatio: number): PixelSize {
  return { width: width / devicePixelRatio, height: height / devicePixelRatio }
}

/**
 * The scale relative to the picture's own size: at 1 each of its pixels has one pixel of the screen.
 *
 * @param fitted the size at scale 1
 * @param picture the size of the picture in CSS pixels, as `inCssPixels` returns it
 */
export function relativeScale(fitted: PixelSize, picture: PixelSize, scale: number): number {
  // The file may store the picture rotated by a quarter turn.
  return (Math.max(fitted.width, fitted.height) * scale) / Math.max(picture.width, picture.height)
}

/** One or three quarter turns swap width and height. */
export function rotated(size: PixelSize, quarters: number): PixelSize {
  return quarters % 2 === 0 ? size : { width: size.height, height: size.width }
}

/** The maximum scale, which depends on the picture's own size. */
export function maxScale(picture: PixelSize, fitted: PixelSize): number {
  return Math.max(
    ON_DEMAND_LIMITS.pictureScaleMax,
    (ON_DEMAND_LIMITS.pictureScaleMax * picture.width) / fitted.width,
  )
}

/** Zooms to `scale` and keeps the point `fixed` where it is. */
export function zoomTo(view: ZoomView, scale: number, fixed: Point): ZoomView {
  const factor = scale / view.scale
  return {
    scale,
    x: fixed.x - (fixed.x - view.x) * factor,
    y: fixed.y - (fixed.y - view.y) * factor,
  }
}

/** Limits scale and position: a picture that is larger than the viewer covers it completely. */
export function limit(
  view: ZoomView,
  fitted: PixelSize,
  viewer: PixelSize,
  scaleMax: number,
): ZoomView {
  const scale = Math.min(scaleMax, Math.max(1, view.scale))
  const limited = scale === view.scale ? view : zoomTo(view, scale, { x: 0, y: 0 })
  const spaceX = Math.max(0, (fitted.width * scale - viewer.width) / 2)
  const spaceY = Math.max(0, (fitted.height * scale - viewer.height) / 2)
  return { scale, x: within(limited.x, spaceX), y: within(limited.y, spaceY) }
}

function within(value: number, distanceMax: number): number {
  return Math.min(distanceMax, Math.max(-distanceMax, value))
}
