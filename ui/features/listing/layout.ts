/**
 * Where every item of a folder lies: arithmetic alone, so that only what is near the window need
 * exist. All lengths are pixels; `x` counts from the inline start of the body, `y` from its top.
 */
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

export interface Layout {
  sections: readonly Section[]
  rows: number
  width: number
  height: number
}

/** What the style sheet says, in pixels. */
export interface Metrics {
  /** Of the window the items scroll in. */
  width: number
  gutter: number
  rowHeight: number
  titleHeight: number
  folderHeight: number
  tileMin: number
  tileGap: number
  /** Below the picture of a file's tile. */
  caption: number
  /** The height that rows of pictures come near. */
  pictureRow: number
  pictureGap: number
}

/** Between rows of folders, and between a title and what is below it. */
const FOLDER_GAP = 8
const TITLE_GAP = 12
/** Above the first title, and above each other. */
const LEAD = 12
const SECTION_GAP = 24

/** One item below the other. */
export function listLayout(count: number, { width, rowHeight }: Metrics): Layout {
  const cell = { width, height: rowHeight }
  const section = uniform('row', 0, count, {
    ...{ top: 0, titleTop: undefined, columns: 1, cell, gapX: 0, gapY: 0, gutter: 0, firstRow: 0 },
  })
  return { sections: [section], rows: count, width, height: count * rowHeight }
}

/** Tiles: the first `folders` items are folders, the others have a picture each. */
export function mosaicLayout(folders: number, count: number, metrics: Metrics): Layout {
  return stack(metrics, [
    { kind: 'folder', count: folders },
    { kind: 'file', count: count - folders },
  ])
}

/** Pictures in rows that fill the width; then folders; then the other files as tiles. */
export function galleryLayout(
  pictures: readonly PictureRow[],
  folders: number,
  count: number,
  metrics: Metrics,
): Layout {
  const shown = pictures.at(-1)?.end ?? 0
  return stack(metrics, [
    { kind: 'picture', count: shown, pictures },
    { kind: 'folder', count: folders },
    { kind: 'file', count: count - shown - folders },
  ])
}

/** The section that holds item `index`. */
export function sectionOf({ sections }: Layout, index: number): Section | undefined {
  return sections.find(({ start, end }) => index >= start && index < end)
}

export function boxOf(layout: Layout, index: number): Box | undefined {
  return sectionOf(layout, index)?.box(index)
}

/** The rows that lie between two heights, or touch them. */
export function rowsBetween(layout: Layout, top: number, bottom: number): PlacedRow[] {
  return layout.sections.flatMap((section) => {
    const from = section.rowAt(top)
    const to = section.rowAt(bottom)
    const rows = Array.from({ length: to - from + 1 }, (_, at) => placed(section, from + at))
    return rows.filter((row) => row.top <= bottom && row.top + row.height >= top)
  })
}

export interface PlacedRow extends Row {
  kind: CellKind
  section: Section
  /** Among all rows of the layout, from 0. */
  number: number
}

/** The items whose boxes touch `area`. */
export function itemsWithin(layout: Layout, area: Box): number[] {
  const right = area.x + area.width
  return rowsBetween(layout, area.y, area.y + area.height).flatMap(({ section, start, end }) =>
    Array.from({ length: end - start }, (_, at) => start + at).filter((index) => {
      const { x, width } = section.box(index)
      return x <= right && x + width >= area.x
    }),
  )
}

/** The row of item `index`, among all rows of the layout. */
export function rowNumberOf(layout: Layout, index: number): number {
  const section = sectionOf(layout, index)
  return section ? section.firstRow + section.rowOf(index) : -1
}

/** The row of this number; the first or last one where there is none. */
export function rowNumbered(layout: Layout, number: number): PlacedRow | undefined {
  const wanted = Math.max(0, Math.min(layout.rows - 1, number))
  const section = layout.sections.findLast(({ firstRow }) => firstRow <= wanted)
  return section && placed(section, wanted - section.firstRow)
}

function placed(section: Section, at: number): PlacedRow {
  return { ...section.row(at), kind: section.kind, section, number: section.firstRow + at }
}

interface Part {
  kind: Exclude<CellKind, 'row'>
  count: number
  pictures?: readonly PictureRow[]
}

/** Puts the parts that have items below each other, each under its title. */
function stack(metrics: Metrics, parts: readonly Part[]): Layout {
  const sections: Section[] = []
  let y = LEAD
  let rows = 0
  for (const { kind, count, pictures } of parts) {
    if (count === 0) continue
    const start = sections.at(-1)?.end ?? 0
    const titleTop = sections.length > 0 ? y + SECTION_GAP : y
    const place = {
      titleTop,
      top: titleTop + metrics.titleHeight + TITLE_GAP,
      gutter: metrics.gutter,
      firstRow: rows,
    }
    const section = pictures
      ? justified(pictures, metrics.pictureGap, place)
      : uniform(kind, start, count, { ...place, ...tiles(kind, metrics) })
    sections.push(section)
    const last = section.row(section.rows - 1)
    y = last.top + last.height
    rows += section.rows
  }
  return { sections, rows, width: metrics.width, height: y }
}

/** As many columns as have room, as wide as they then can be. */
function tiles(kind: CellKind, metrics: Metrics) {
  const { width, gutter, tileMin, tileGap } = metrics
  const room = width - 2 * gutter
  const columns = Math.max(1, Math.floor((room + tileGap) / (tileMin + tileGap)))
  const cellWidth = (room - (columns - 1) * tileGap) / columns
  const height =
    kind === 'folder' ? metrics.folderHeight : Math.round(cellWidth * 0.75) + metrics.caption
  return {
    columns,
    cell: { width: cellWidth, height },
    gapX: tileGap,
    gapY: kind === 'folder' ? FOLDER_GAP : tileGap,
  }
}

interface Place {
  top: number
  titleTop: number | undefined
  gutter: number
  firstRow: number
}

interface Cells {
  columns: number
  cell: { width: number; height: number }
  gapX: number
  gapY: number
}

function uniform(kind: CellKind, start: number, count: number, place: Place & Cells): Section {
  const { columns, cell, gapX, gapY, top, gutter } = place
  const rows = Math.ceil(count / columns)
  const pitch = cell.height + gapY
  const end = start + count
  return {
    ...{ kind, titleTop: place.titleTop, start, end, rows, firstRow: place.firstRow },
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

function justified(pictures: readonly PictureRow[], gap: number, place: Place): Section {
  const { titleTop, firstRow, gutter, top } = place
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
