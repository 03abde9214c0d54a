import type { CSSProperties } from 'react'
import { deadLinkKind } from '#ui/lib/entries/kinds.ts'
import type { Entry } from '#wire/api/entry.ts'

/** The props of a cell, which shows one entry: its position and state. The grid handles gestures. */
export interface CellProps {
  id: string
  entry: Entry
  /** The index of the entry. */
  index: number
  /** The position in the body, in pixels; `x` is from the inline start. */
  x: number
  y: number
  width: number
  height: number
  /** The row number for assistive technology, from 1. */
  rowIndex: number
  isSelected: boolean
  isCursor: boolean
  isCut: boolean
  draggable: boolean
  /** Whether its thumbnail may be requested. */
  hasThumbnail: boolean
  /** The duration of a film, 0 if unknown; undefined for other entries. */
  seconds: number | undefined
}

/** The attributes of a tile's element. */
export function tileAttributes(cell: CellProps) {
  const { id, entry, index, isSelected, isCursor, isCut, draggable } = cell
  return {
    id,
    role: 'gridcell',
    'aria-selected': isSelected,
    'data-index': index,
    'data-cursor': isCursor || undefined,
    'data-cut': isCut || undefined,
    'data-dead-link': deadLinkKind(entry) && true,
    'data-drop-path': entry.isDir && !entry.listOnly ? entry.path : undefined,
    'data-drag-handle': '',
    draggable,
    style: tilePosition(cell),
  } as const
}

function tilePosition({ x, y, width, height }: CellProps): CSSProperties {
  return { insetInlineStart: x, insetBlockStart: y, inlineSize: width, blockSize: height }
}
