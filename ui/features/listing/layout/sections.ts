/** The sections of a layout: entries of one kind, below one title. All lengths are pixels, as in the layout. */
import type { PictureRow } from '#ui/lib/entries/justify.ts'

/** The component that shows the entries of a section. */
export type CellKind = 'row' | 'folder' | 'file' | 'picture'

/** A rectangle; `x` is from the inline start. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A row of entries: `start` is the index of the first, `end` one past the last. */
export interface Row {
  start: number
  end: number
  top: number
  height: number
}

/** Entries of one kind, below one title. */
export interface Section {
  kind: CellKind
  /** Replaces the default title of the kind. */
  title?: string | undefined
  /** The position of the title; undefined without one. */
  titleTop: number | undefined
  start: number
  end: number
  /** The number of rows. */
  rows: number
  /** The number of its first row in the layout. */
  firstRow: number
  /** @param index the index of the row in the section */
  row(index: number): Row
  /** @returns the index in the section of the row that contains the entry with this index */
  rowOf(index: number): number
  /** @returns the index of the last row that begins at or above `y`; of the first row if `y` is above it */
  rowAt(y: number): number
  /** @returns the box of the entry with this index */
  box(index: number): Box
}

/** The position of a section. */
export interface SectionGeometry {
  top: number
  title?: string | undefined
  titleTop: number | undefined
  gutter: number
  firstRow: number
}

/** The arrangement of cells of one size. */
export interface Cells {
  columns: number
  cell: { width: number; height: number }
  gapX: number
  gapY: number
}

/** A section of cells of one size, in a fixed number of columns. */
export function uniform(
  kind: CellKind,
  start: number,
  count: number,
  geometry: SectionGeometry & Cells,
): Section {
  const { columns, cell, gapX, gapY, top, gutter } = geometry
  const rows = Math.ceil(count / columns)
  const rowStep = cell.height + gapY
  const end = start + count
  return {
    ...{ kind, titleTop: geometry.titleTop, start, end, rows, firstRow: geometry.firstRow },
    row(rowIndex) {
      const first = start + rowIndex * columns
      const rowEnd = Math.min(end, first + columns)
      return { start: first, end: rowEnd, top: top + rowIndex * rowStep, height: cell.height }
    },
    rowOf: (index) => Math.floor((index - start) / columns),
    rowAt: (y) => clamp(Math.floor((y - top) / rowStep), rows),
    box(index) {
      const position = index - start
      const column = position % columns
      const y = top + Math.floor(position / columns) * rowStep
      return { x: gutter + column * (cell.width + gapX), y, ...cell }
    },
  }
}

/** A section of pictures in rows that `justify` has computed. */
export function justified(
  pictures: readonly PictureRow[],
  gap: number,
  geometry: SectionGeometry,
): Section {
  const { title, titleTop, firstRow, gutter, top } = geometry
  const tops: number[] = []
  let y = top
  for (const { height } of pictures) {
    tops.push(y)
    y += height + gap
  }
  const rowOf = (index: number) => findLastIndex(pictures.length, (row) => startOf(row) <= index)
  const startOf = (row: number) => pictures[row]?.start ?? 0
  return {
    ...{ kind: 'picture', title, titleTop, firstRow },
    start: pictures[0]?.start ?? 0,
    end: pictures.at(-1)?.end ?? 0,
    rows: pictures.length,
    row(rowIndex) {
      const { start = 0, end = 0, height = 0 } = pictures[rowIndex] ?? {}
      return { start, end, height, top: tops[rowIndex] ?? top }
    },
    rowOf,
    rowAt: (y) => findLastIndex(pictures.length, (row) => (tops[row] ?? 0) <= y),
    box(index) {
      const rowIndex = rowOf(index)
      const row = pictures[rowIndex]
      const column = index - (row?.start ?? 0)
      const widthsBefore = row?.widths.slice(0, column) ?? []
      const x = widthsBefore.reduce((sum, width) => sum + width + gap, gutter)
      const { height = 0, widths } = row ?? {}
      return { x, y: tops[rowIndex] ?? top, width: widths?.[column] ?? 0, height }
    },
  }
}

/**
 * Binary search. `matches` must be true for the first numbers from 0, and false for all after them.
 *
 * @returns the last number below `count` for which `matches` is true; 0 if there is none
 */
function findLastIndex(count: number, matches: (index: number) => boolean): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (matches(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function clamp(row: number, rows: number): number {
  return Math.max(0, Math.min(rows - 1, row))
}
