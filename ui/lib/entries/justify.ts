/**
 * Lays out pictures in rows that fill the width, with heights near a target. The last row, and each row before a
 * break, have the target height and may be shorter than the width.
 */

/** A row of pictures: `start` is the index of the first, `end` one past the last. Lengths are pixels. */
export interface PictureRow {
  start: number
  end: number
  height: number
  widths: readonly number[]
}

/** The space for the rows, in pixels. */
export interface RowSpace {
  width: number
  gap: number
  /** The height that rows should have. */
  target: number
}

/** The aspect ratio (width by height) of a picture whose size is not known yet. */
export const DEFAULT_RATIO = 1.5

/** A picture with a more extreme ratio is cropped. */
const MIN_RATIO = 0.5
const MAX_RATIO = 3

const NO_BREAKS: ReadonlySet<number> = new Set()

/**
 * Breaks pictures from `start` on into rows.
 *
 * @param ratios the aspect ratio of every picture, also of those before `start`
 * @param breaks the indices of pictures that always begin a new row
 */
export function justify(
  ratios: readonly number[],
  start: number,
  space: RowSpace,
  breaks: ReadonlySet<number> = NO_BREAKS,
): PictureRow[] {
  const rows: PictureRow[] = []
  let first = start
  let sum = 0
  for (let index = start; index < ratios.length; index += 1) {
    if (index > first && breaks.has(index)) {
      rows.push(rowOf(ratios, first, index, space.target))
      first = index
      sum = 0
    }
    const ratio = ratioAt(ratios, index)
    // A row gets lower with each picture. If it is nearer to the target without this one, it ends before it.
    const count = index - first
    const heightWithout = heightOf(sum, count, space)
    const height = heightOf(sum + ratio, count + 1, space)
    if (count > 0 && height < space.target && isNearer(heightWithout, height, space.target)) {
      rows.push(rowOf(ratios, first, index, heightWithout))
      first = index
      sum = ratio
    } else sum += ratio
    // With this picture the row reaches the target, so it ends here.
    if (heightOf(sum, index - first + 1, space) <= space.target) {
      rows.push(rowOf(ratios, first, index + 1, heightOf(sum, index - first + 1, space)))
      first = index + 1
      sum = 0
    }
  }
  if (first < ratios.length) rows.push(rowOf(ratios, first, ratios.length, space.target))
  return rows
}

/** The height at which `count` pictures fill the width; `ratios` is the sum of their aspect ratios. */
function heightOf(ratios: number, count: number, { width, gap }: RowSpace): number {
  return (width - (count - 1) * gap) / ratios
}

/** Whether `one` is nearer to the target than `other`. Twice the target is as far away as half of it. */
function isNearer(one: number, other: number, target: number): boolean {
  return Math.abs(Math.log(one / target)) < Math.abs(Math.log(other / target))
}

function rowOf(ratios: readonly number[], start: number, end: number, height: number): PictureRow {
  return {
    start,
    end,
    height,
    // Computed on access: of 100 000 pictures only those near the viewport are rendered.
    get widths() {
      return Array.from(
        { length: end - start },
        (_, index) => ratioAt(ratios, start + index) * height,
      )
    },
  }
}

function ratioAt(ratios: readonly number[], index: number): number {
  return Math.max(MIN_RATIO, Math.min(MAX_RATIO, ratios[index] ?? DEFAULT_RATIO))
}
