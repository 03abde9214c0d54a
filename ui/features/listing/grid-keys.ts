/** Keyboard navigation in a list or a grid: pure functions. */
import type { Entry } from '#wire/entry.ts'
import { boxOf, type Layout, rowNumbered, rowNumberOf } from './layout.ts'

/** The geometry that navigation depends on. */
export interface GridGeometry {
  layout: Layout
  count: number
  /** The distance of PageUp and PageDown, in pixels. */
  page: number
  rightToLeft: boolean
}

/** The index that a key moves to from index `at` (-1 is none yet); undefined for other keys. */
export function itemAfter(key: string, index: number, geometry: GridGeometry): number | undefined {
  const to = TARGETS[key]?.(index, geometry)
  return to === undefined || geometry.count === 0
    ? undefined
    : Math.max(0, Math.min(geometry.count - 1, to))
}

const TARGETS: Record<string, (index: number, geometry: GridGeometry) => number | undefined> = {
  ArrowDown: (at, geometry) => (at < 0 ? 0 : moveByRows(at, 1, geometry)),
  ArrowUp: (at, geometry) => (at < 0 ? geometry.count - 1 : moveByRows(at, -1, geometry)),
  ArrowLeft: (at, geometry) => moveInRow(at, -1, geometry),
  ArrowRight: (at, geometry) => moveInRow(at, 1, geometry),
  PageDown: (at, geometry) => moveByPage(at, 1, geometry),
  PageUp: (at, geometry) => moveByPage(at, -1, geometry),
  Home: () => 0,
  End: (_at, { count }) => count - 1,
}

/** A step within the row; it has no effect if a row has only one entry. */
function moveInRow(
  index: number,
  step: number,
  { layout, rightToLeft }: GridGeometry,
): number | undefined {
  if (layout.sections.every(({ kind }) => kind === 'row')) return undefined
  return index < 0 ? 0 : index + (rightToLeft ? -step : step)
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

function moveByPage(index: number, step: number, geometry: GridGeometry): number {
  const { layout, page } = geometry
  const number = rowNumberOf(layout, Math.max(0, index))
  const from = rowNumbered(layout, number)
  if (!from) return 0
  const target = from.top + step * page
  let rows = 0
  for (;;) {
    const next = rowNumbered(layout, number + rows + step)
    const isOver = !next || number + rows + step < 0 || number + rows + step >= layout.rows
    if (isOver || step * (next.top - target) > 0) break
    rows += step
  }
  return moveByRows(Math.max(0, index), rows || lastStep(number, step, geometry), geometry)
}

/** Moves at least one row; at the end it stays. */
function lastStep(number: number, step: number, { layout }: GridGeometry): number {
  return number + step < 0 || number + step >= layout.rows ? 0 : step
}

/**
 * Type-ahead: the next entry after `at` whose name begins with the typed text. Typing a single letter again moves to
 * the next such name.
 */
export function itemNamed(typed: string, index: number, items: readonly Entry[]): number {
  const repeated = [...typed].every((letter) => letter === typed[0])
  const target = (repeated ? typed.slice(0, 1) : typed).toLocaleLowerCase()
  const start = repeated ? index + 1 : Math.max(0, index)
  for (let step = 0; step < items.length; step += 1) {
    const index = (start + step) % items.length
    if (items[index]?.name.toLocaleLowerCase().startsWith(target)) return index
  }
  return -1
}
