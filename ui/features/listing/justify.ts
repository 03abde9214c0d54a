/** Rows of pictures that fill the width, at heights near a target: pure arithmetic. */

/** A line of pictures: `start` is the first, `end` is one past the last. Pixels. */
export interface PictureRow {
  start: number
  end: number
  height: number
  widths: readonly number[]
}

export interface Frame {
  width: number
  gap: number
  /** The height that rows come near. */
  target: number
}

/** Width by height of a picture nobody has seen yet. */
export const USUAL_RATIO = 1.5

/** A picture more extreme than this is cut. */
const LEAST_RATIO = 0.5
const MOST_RATIO = 3

/**
 * Breaks pictures from `start` on into rows.
 *
 * @param ratios width by height of every picture, those before `start` too
 */
export function justify(ratios: readonly number[], start: number, frame: Frame): PictureRow[] {
  const rows: PictureRow[] = []
  let first = start
  let sum = 0
  for (let at = start; at < ratios.length; at += 1) {
    const ratio = ratioAt(ratios, at)
    const count = at - first
    const without = heightOf(sum, count, frame)
    const height = heightOf(sum + ratio, count + 1, frame)
    if (count > 0 && height < frame.target && isNearer(without, height, frame.target)) {
      rows.push(rowOf(ratios, first, at, without))
      first = at
      sum = ratio
    } else sum += ratio
    if (heightOf(sum, at - first + 1, frame) <= frame.target) {
      rows.push(rowOf(ratios, first, at + 1, heightOf(sum, at - first + 1, frame)))
      first = at + 1
      sum = 0
    }
  }
  if (first < ratios.length) rows.push(rowOf(ratios, first, ratios.length, frame.target))
  return rows
}

/** The height at which pictures of these ratios fill the width. */
function heightOf(ratios: number, count: number, { width, gap }: Frame): number {
  return (width - (count - 1) * gap) / ratios
}

/** Twice as high is as far away as half as high. */
function isNearer(one: number, other: number, target: number): boolean {
  return Math.abs(Math.log(one / target)) < Math.abs(Math.log(other / target))
}

function rowOf(ratios: readonly number[], start: number, end: number, height: number): PictureRow {
  return {
    start,
    end,
    height,
    // Of 100 000 pictures only those near the window are ever asked for.
    get widths() {
      return Array.from({ length: end - start }, (_, at) => ratioAt(ratios, start + at) * height)
    },
  }
}

function ratioAt(ratios: readonly number[], at: number): number {
  return Math.max(LEAST_RATIO, Math.min(MOST_RATIO, ratios[at] ?? USUAL_RATIO))
}
