/** Keyboard navigation in a list or a grid: pure functions. */
import type { Entry } from '#wire/api/entry.ts'
import { boxOf, type Layout, rowNumbered, rowNumberOf } from '../layout/layout.ts'

/** The geometry that navigation depends on. */
export interface GridGeometry {
  layout: Layout
  count: number
  /** The distance of PageUp and PageDown, in pixels. */
  pageHeight: number
  isRightToLeft: boolean
}

/**
 * @param index the index of the cursor; -1 if there is none yet
 * @returns the index that the key moves the cursor to; undefined if it does not move the cursor
 */
export function itemAfter(key: string, index: number, geometry: GridGeometry): number | undefined {
  const target = TARGETS[key]?.(index, geometry)
  return target === undefined || geometry.count === 0
    ? undefined
    : Math.max(0, Math.min(geometry.count - 1, target))
}

/** The index that each key moves to; it may be outside of the entries. */
const TARGETS: Record<string, (index: number, geometry: GridGeometry) => number | undefined> = {
  ArrowDown: (index, geometry) => (index < 0 ? 0 : moveByRows(index, 1, geometry)),
  ArrowUp: (index, geometry) => (index < 0 ? geometry.count - 1 : moveByRows(index, -1, geometry)),
  ArrowLeft: (index, geometry) => moveInRow(index, -1, geometry),
  ArrowRight: (index, geometry) => moveInRow(index, 1, geometry),
  PageDown: (index, geometry) => moveByPage(index, 1, geometry),
  PageUp: (index, geometry) => moveByPage(index, -1, geometry),
  Home: () => 0,
  End: (_index, { count }) => count - 1,
}

/**
 * Moves to the next or previous entry; undefined in a list, where each row has only one entry. It also works in a
 * gallery that waits for its metadata and has no rows yet.
 */
function moveInRow(
  index: number,
  step: number,
  { layout, isRightToLeft }: GridGeometry,
): number | undefined {
  if (layout.sections.some(({ kind }) => kind === 'row')) return undefined
  return index < 0 ? 0 : index + (isRightToLeft ? -step : step)
}

/** Moves by a number of rows, as straight up or down as possible. */
function moveByRows(index: number, rows: number, { layout }: GridGeometry): number {
  const from = boxOf(layout, index)
  const number = rowNumberOf(layout, index) + rows
  const row = rowNumbered(layout, number)
  if (!from || !row || number < 0 || number >= layout.rows) return index
  const middle = from.x + from.width / 2
  let best = row.start
  for (let index = row.start; index < row.end; index += 1) {
    if (distance(row.section.box(index)) < distance(row.section.box(best))) best = index
  }
  return best

  function distance({ x, width }: { x: number; width: number }): number {
    return Math.abs(x + width / 2 - middle)
  }
}

/** Moves by as many rows as fit into a page. `step` is 1 for down and -1 for up. */
function moveByPage(index: number, step: number, geometry: GridGeometry): number {
  const { layout, pageHeight } = geometry
  const number = rowNumberOf(layout, Math.max(0, index))
  const from = rowNumbered(layout, number)
  if (!from) return 0
  const target = from.top + step * pageHeight
  let rows = 0
  for (;;) {
    const nextRow = rowNumbered(layout, number + rows + step)
    const isPastEnd = !nextRow || number + rows + step < 0 || number + rows + step >= layout.rows
    if (isPastEnd || step * (nextRow.top - target) > 0) break
    rows += step
  }
  return moveByRows(Math.max(0, index), rows || lastStep(number, step, geometry), geometry)
}

/** @returns the number of rows to move if no row fits into a page: one, or none at the end */
function lastStep(number: number, step: number, { layout }: GridGeometry): number {
  return number + step < 0 || number + step >= layout.rows ? 0 : step
}

/**
 * Finds an entry by the first letters of its name. Typing the same letter again finds the next name that begins with
 * it.
 *
 * @param index the index of the cursor, from which the search begins
 * @returns the index of the entry; -1 if no name begins with the typed text
 */
export function itemNamed(typed: string, index: number, items: readonly Entry[]): number {
  const isRepeated = [...typed].every((letter) => letter === typed[0])
  const target = (isRepeated ? typed.slice(0, 1) : typed).toLocaleLowerCase()
  const start = isRepeated ? index + 1 : Math.max(0, index)
  for (let step = 0; step < items.length; step += 1) {
    const index = (start + step) % items.length
    if (items[index]?.name.toLocaleLowerCase().startsWith(target)) return index
  }
  return -1
}
