/** The parts of a layout: items of one kind, below one title. Pixels, as in the layout. */
import type { PictureRow } from './justify.ts'

/** What shows the items of a section. */
export type CellKind = 'row' | 'folder' | 'file' | 'picture'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A line of items: `start` is the first, `end` is one past the last. */
export interface Row {
  start: number
  end: number
  top: number
  height: number
}

/** Items of one kind, below one title. */
export interface Section {
  kind: CellKind
  /** Where the title is; undefined without one. */
  titleTop: number | undefined
  start: number
  end: number
  rows: number
  /** The layout's number of the first row. */
  firstRow: number
  row(at: number): Row
  rowOf(index: number): number
  /** The last row that begins at or above `y`, or the first. */
  rowAt(y: number): number
  box(index: number): Box
}

/** Where a section begins. */
export interface SectionGeometry {
  top: number
  titleTop: number | undefined
  gutter: number
  firstRow: number
}

export interface Cells {
  columns: number
  cell: { width: number; height: number }
  gapX: number
  gapY: number
}

/** Cells of one size, in as many columns as there are. */
export function uniform(
  kind: CellKind,
  start: number,
  count: number,
  geometry: SectionGeometry & Cells,
): Section {
  const { columns, cell, gapX, gapY, top, gutter } = geometry
  const rows = Math.ceil(count / columns)
  const pitch = cell.height + gapY
  const end = start + count
  return {
    ...{ kind, titleTop: geometry.titleTop, start, end, rows, firstRow: geometry.firstRow },
    row(at) {
      const first = start + at * columns
      const last = Math.min(end, first + columns)
      return { start: first, end: last, top: top + at * pitch, height: cell.height }
    },
    rowOf: (index) => Math.floor((index - start) / columns),
    rowAt: (y) => clamp(Math.floor((y - top) / pitch), rows),
    box(index) {
      const at = index - start
      const column = at % columns
      const y = top + Math.floor(at / columns) * pitch
      return { x: gutter + column * (cell.width + gapX), y, ...cell }
    },
  }
}

/** Pictures in rows that were broken already. */
export function justified(
  pictures: readonly PictureRow[],
  gap: number,
  geometry: SectionGeometry,
): Section {
  const { titleTop, firstRow, gutter, top } = geometry
  const tops: number[] = []
  let y = top
  for (const { height } of pictures) {
    tops.push(y)
    y += height + gap
  }
  const rowOf = (index: number) => lastWhere(pictures.length, (at) => starts(at) <= index)
  const starts = (at: number) => pictures[at]?.start ?? 0
  return {
    ...{ kind: 'picture', titleTop, start: 0, end: pictures.at(-1)?.end ?? 0, firstRow },
    rows: pictures.length,
    row(at) {
      const { start = 0, end = 0, height = 0 } = pictures[at] ?? {}
      return { start, end, height, top: tops[at] ?? top }
    },
    rowOf,
    rowAt: (at) => lastWhere(pictures.length, (row) => (tops[row] ?? 0) <= at),
    box(index) {
      const at = rowOf(index)
      const row = pictures[at]
      const column = index - (row?.start ?? 0)
      const before = row?.widths.slice(0, column) ?? []
      const x = before.reduce((sum, width) => sum + width + gap, gutter)
      return { x, y: tops[at] ?? top, width: row?.widths[column] ?? 0, height: row?.height ?? 0 }
    },
  }
}

/** The last of `count` numbers for which `holds`, which holds for the first ones only; else 0. */
function lastWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function clamp(row: number, rows: number): number {
  return Math.max(0, Math.min(rows - 1, row))
}
