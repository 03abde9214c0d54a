/**
 * Computes the position of every entry of a folder, so that only entries near the viewport need elements. Pure. All
 * lengths are pixels; `x` is from the inline start of the body, `y` from its top.
 */
import type { PictureRow } from '#ui/lib/entries/justify.ts'
import type { PictureGroup } from './arrange.ts'
import { type Box, type CellKind, justified, type Row, type Section, uniform } from './sections.ts'

export interface Layout {
  sections: readonly Section[]
  /** The number of rows. */
  rows: number
  width: number
  height: number
}

/** Lengths from the style sheet, in pixels. */
export interface LayoutMetrics {
  /** The width of the scroll container's viewport. */
  width: number
  gutter: number
  rowHeight: number
  titleHeight: number
  folderHeight: number
  tileMin: number
  tileGap: number
  /** The height below the thumbnail of a file's tile. */
  caption: number
  /** The target height of rows of pictures. */
  pictureRow: number
  pictureGap: number
}

/** The gap between rows of folders, and between a title and the entries below it. */
const FOLDER_GAP = 8
const TITLE_GAP = 12
/** The space above the first title, and above each later title. */
const FIRST_TITLE_GAP = 12
const SECTION_GAP = 24

/** One entry per row. */
export function listLayout(count: number, { width, rowHeight }: LayoutMetrics): Layout {
  const cell = { width, height: rowHeight }
  const section = uniform('row', 0, count, {
    ...{ top: 0, titleTop: undefined, columns: 1, cell, gapX: 0, gapY: 0, gutter: 0, firstRow: 0 },
  })
  return { sections: [section], rows: count, width, height: count * rowHeight }
}

/** Tiles: the first `folders` entries are folders, the others have a thumbnail each. */
export function mosaicLayout(folders: number, count: number, metrics: LayoutMetrics): Layout {
  return stack(metrics, [
    { kind: 'folder', count: folders },
    { kind: 'file', count: count - folders },
  ])
}

/**
 * Pictures in rows that fill the width, those of a day below its title; then folders; then the other files as tiles.
 */
export function galleryLayout(
  pictures: readonly PictureRow[],
  folders: number,
  count: number,
  metrics: LayoutMetrics,
  groups: readonly PictureGroup[] = [],
): Layout {
  const shown = pictures.at(-1)?.end ?? 0
  return stack(metrics, [
    ...(groups.length > 0
      ? groupsOf(pictures, groups)
      : [{ kind: 'picture', count: shown, pictures } as const]),
    { kind: 'folder', count: folders },
    { kind: 'file', count: count - shown - folders },
  ])
}

/** The section that contains the entry with this index. */
function sectionOf({ sections }: Layout, index: number): Section | undefined {
  return sections.find(({ start, end }) => index >= start && index < end)
}

/** The box of the entry with this index; undefined if there is no such entry. */
export function boxOf(layout: Layout, index: number): Box | undefined {
  return sectionOf(layout, index)?.box(index)
}

/** The rows that overlap a vertical range. */
export function rowsBetween(layout: Layout, top: number, bottom: number): PlacedRow[] {
  return layout.sections.flatMap((section) => {
    const from = section.rowAt(top)
    const to = section.rowAt(bottom)
    const rows = Array.from({ length: to - from + 1 }, (_, index) =>
      placedRow(section, from + index),
    )
    return rows.filter((row) => row.top < bottom && row.top + row.height > top)
  })
}

/** A row of a layout. */
export interface PlacedRow extends Row {
  kind: CellKind
  section: Section
  /** The number among all rows of the layout, from 0. */
  number: number
}

/** The indices of the entries that overlap `area`. */
export function itemsWithin(layout: Layout, area: Box): number[] {
  const right = area.x + area.width
  return rowsBetween(layout, area.y, area.y + area.height).flatMap(({ section, start, end }) =>
    Array.from({ length: end - start }, (_, index) => start + index).filter((index) => {
      const { x, width } = section.box(index)
      return x < right && x + width > area.x
    }),
  )
}

/** The number of the entry's row among all rows of the layout, from 0; -1 if there is no such entry. */
export function rowNumberOf(layout: Layout, index: number): number {
  const section = sectionOf(layout, index)
  return section ? section.firstRow + section.rowOf(index) : -1
}

/** The row with this number; the first or the last one if the number is outside of the layout. */
export function rowNumbered(layout: Layout, number: number): PlacedRow | undefined {
  const limited = Math.max(0, Math.min(layout.rows - 1, number))
  const section = layout.sections.findLast(({ firstRow }) => firstRow <= limited)
  return section && placedRow(section, limited - section.firstRow)
}

/** @param index the index of the row in the section */
function placedRow(section: Section, index: number): PlacedRow {
  return { ...section.row(index), kind: section.kind, section, number: section.firstRow + index }
}

function groupsOf(pictures: readonly PictureRow[], groups: readonly PictureGroup[]): Part[] {
  return groups.map(({ title, start, end }) => ({
    kind: 'picture',
    title,
    count: end - start,
    pictures: pictures.filter((row) => row.start >= start && row.end <= end),
  }))
}

/** The entries of a section whose position is not computed yet. */
interface Part {
  title?: string
  kind: Exclude<CellKind, 'row'>
  count: number
  pictures?: readonly PictureRow[]
}

/** Stacks the non-empty sections, each below its title. */
function stack(metrics: LayoutMetrics, parts: readonly Part[]): Layout {
  const sections: Section[] = []
  let y = FIRST_TITLE_GAP
  let rows = 0
  for (const { kind, title, count, pictures } of parts) {
    if (count === 0) continue
    const start = sections.at(-1)?.end ?? 0
    const titleTop = sections.length > 0 ? y + SECTION_GAP : y
    const geometry = {
      titleTop,
      top: titleTop + metrics.titleHeight + TITLE_GAP,
      gutter: metrics.gutter,
      firstRow: rows,
      title,
    }
    const section = pictures
      ? justified(pictures, metrics.pictureGap, geometry)
      : uniform(kind, start, count, { ...geometry, ...tiles(kind, metrics) })
    sections.push(section)
    const lastRow = section.row(section.rows - 1)
    y = lastRow.top + lastRow.height
    rows += section.rows
  }
  return { sections, rows, width: metrics.width, height: y }
}

/** The size of tiles: as many columns as fit, stretched to the width. */
function tiles(kind: CellKind, metrics: LayoutMetrics) {
  const { width, gutter, tileMin, tileGap } = metrics
  const innerWidth = width - 2 * gutter
  const columns = Math.max(1, Math.floor((innerWidth + tileGap) / (tileMin + tileGap)))
  const cellWidth = (innerWidth - (columns - 1) * tileGap) / columns
  const height =
    kind === 'folder' ? metrics.folderHeight : Math.round(cellWidth * 0.75) + metrics.caption
  return {
    columns,
    cell: { width: cellWidth, height },
    gapX: tileGap,
    gapY: kind === 'folder' ? FOLDER_GAP : tileGap,
  }
}
