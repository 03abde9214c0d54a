// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import type { ComponentType } from 'react'
import type { Entry } from '#wire/api/entry.ts'
import type { CellProps } from '../cells/cell.ts'
import { FileTile } from '../cells/FileTile.tsx'
import { FolderTile } from '../cells/FolderTile.tsx'
import { ListRow } from '../cells/ListRow.tsx'
import { PictureTile } from '../cells/PictureTile.tsx'
import type { Gallery } from '../gallery/use-gallery.ts'
import type { Album } from '../layout/arrange.ts'
import type { ExtraColumn } from '../layout/columns.ts'
import type { PlacedRow } from '../layout/layout.ts'
import type { CellKind } from '../layout/sections.ts'
import type { EntryMarks } from './use-marks.ts'

interface GridRowProps {
  row: PlacedRow
  items: readonly Entry[]
  /** The id of an entry's element, without the entry's number. */
  idPrefix: string
  marks: EntryMarks
  columns: readonly ExtraColumn[]
  gallery: Gallery
  album: Album | undefined
}

/** The entries of one row. */
export function GridRow({ row, items, idPrefix, marks, columns, gallery, album }: GridRowProps) {
  const rowIndex = row.number + 2
  const cells = items.slice(row.start, row.end).map((entry, index) => {
    const key = entry.path
    const cell: CellProps = {
      id: `${idPrefix}${row.start + index}`,
      entry,
      index: row.start + index,
      ...row.section.box(row.start + index),
      rowIndex,
      isSelected: marks.paths.has(entry.path),
      isCursor: entry.path === marks.cursor,
      isCut: marks.cut.has(entry.path),
      draggable: marks.draggable,
      hasThumbnail: marks.hasThumbnails,
      seconds: entry.type === 'video' ? (album?.factsOf(entry)?.seconds ?? 0) : undefined,
    }
    if (row.kind === 'row')
      return (
        <ListRow
          key={key}
          {...cell}
          hasExactDates={marks.hasExactDates}
          showsFolderSizes={marks.showsFolderSizes}
          columns={columns.join(' ')}
        />
      )
    if (row.kind === 'picture') {
      const isSettled = row.number < gallery.finalRows
      const picture = gallery.pictureOf(cell.index)
      return <PictureTile key={key} {...cell} isSettled={isSettled} picture={picture} />
    }
    const Tile = TILES[row.kind]
    return <Tile key={key} {...cell} />
  })
  if (row.kind === 'row') return cells
  return (
    <div role="row" aria-rowindex={rowIndex}>
      {cells}
    </div>
  )
}

const TILES: Record<Exclude<CellKind, 'row' | 'picture'>, ComponentType<CellProps>> = {
  folder: FolderTile,
  file: FileTile,
}
