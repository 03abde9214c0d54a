/** The part of a picture that a crop keeps, in whole pixels of the picture. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { PictureArea } from '#wire/api/media.ts'
import type { PixelSize, Point } from './zoom.ts'

/** The edges that move: -1 for the left or upper one, 1 for the right or lower one, 0 for neither. */
export interface Edges {
  x: -1 | 0 | 1
  y: -1 | 0 | 1
}

/** The eight handles: corners, and the middle of each edge. */
export const HANDLES: readonly Edges[] = ([-1, 0, 1] as const)
  .flatMap((y) => ([-1, 0, 1] as const).map((x) => ({ x, y })))
  .filter(({ x, y }) => x !== 0 || y !== 0)

export function wholeOf({ width, height }: PixelSize): PictureArea {
  return { left: 0, top: 0, width, height }
}

/** Moves a part; it stays in the picture. */
export function moved(area: PictureArea, by: Point, size: PixelSize): PictureArea {
  return {
    ...area,
    left: between(0, Math.round(area.left + by.x), size.width - area.width),
    top: between(0, Math.round(area.top + by.y), size.height - area.height),
  }
}

/** Moves edges of a part; it stays in the picture, and does not become too small to be touched. */
export function resized(area: PictureArea, edges: Edges, by: Point, size: PixelSize): PictureArea {
  const [left, width] = span([area.left, area.width], edges.x, by.x, size.width)
  const [top, height] = span([area.top, area.height], edges.y, by.y, size.height)
  return { left, top, width, height }
}

/** The part between two points. */
export function drawn(from: Point, to: Point, size: PixelSize): PictureArea {
  const start = {
    left: between(0, Math.round(from.x), size.width - 1),
    top: 0,
    width: 1,
    height: 1,
  }
  start.top = between(0, Math.round(from.y), size.height - 1)
  const by = { x: to.x - from.x, y: to.y - from.y }
  return resized(start, { x: by.x < 0 ? -1 : 1, y: by.y < 0 ? -1 : 1 }, by, size)
}

/** One step of an arrow key: a hundredth of the longer side. */
export function stepOf({ width, height }: PixelSize): number {
  return Math.max(1, Math.round(Math.max(width, height) / 100))
}

function span(
  [start, length]: [number, number],
  edge: -1 | 0 | 1,
  by: number,
  whole: number,
): [number, number] {
  const least = Math.min(UI_LIMITS.cropMinPixels, whole)
  const end = start + length
  if (edge === -1) {
    const moved = between(0, Math.round(start + by), Math.max(0, end - least))
    return [moved, Math.max(end, moved + least) - moved]
  }
  if (edge === 0) return [start, length]
  const movedEnd = between(Math.min(whole, start + least), Math.round(end + by), whole)
  const from = Math.min(start, movedEnd - least)
  return [from, movedEnd - from]
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
