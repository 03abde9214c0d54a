/** Treemaps: boxes whose areas are proportional to values (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000). */

/** In units of the whole map, whose inline size is 1 and whose block size is `height`. */
export interface TreemapBox {
  x: number
  y: number
  width: number
  height: number
}

/**
 * @param values the largest first, all above 0
 * @param height of the map, as a factor of its width
 * @returns a box for each value, none much longer than wide if that is possible
 */
export function treemap(values: readonly number[], height: number): TreemapBox[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  const areas = values.map((value) => (value / total) * height)
  const boxes: TreemapBox[] = []
  let rest: TreemapBox = { x: 0, y: 0, width: 1, height }
  for (let first = 0; first < areas.length; ) {
    const side = Math.min(rest.width, rest.height)
    let end = first + 1
    while (
      end < areas.length &&
      worstRatio(areas.slice(first, end + 1), side) <= worstRatio(areas.slice(first, end), side)
    ) {
      end += 1
    }
    rest = addRow(areas.slice(first, end), rest, boxes)
    first = end
  }
  return boxes
}

/** The largest ratio of the sides of boxes that fill a row along a side. */
function worstRatio(row: readonly number[], side: number): number {
  const sum = row.reduce((all, area) => all + area, 0)
  const thickness = sum / side
  return Math.max(...row.map((area) => ratioOf(thickness, area / thickness)))
}

function ratioOf(a: number, b: number): number {
  return Math.max(a / b, b / a)
}

/** Adds a row of boxes along the shorter side. @returns the space that remains */
function addRow(row: readonly number[], rest: TreemapBox, boxes: TreemapBox[]): TreemapBox {
  const sum = row.reduce((all, area) => all + area, 0)
  const isColumn = rest.width >= rest.height
  const thickness = sum / (isColumn ? rest.height : rest.width)
  let offset = 0
  for (const area of row) {
    const length = area / thickness
    boxes.push(
      isColumn
        ? { x: rest.x, y: rest.y + offset, width: thickness, height: length }
        : { x: rest.x + offset, y: rest.y, width: length, height: thickness },
    )
    offset += length
  }
  const { x, y, width, height } = rest
  return isColumn
    ? { x: x + thickness, y, width: width - thickness, height }
    : { x, y: y + thickness, width, height: height - thickness }
}
