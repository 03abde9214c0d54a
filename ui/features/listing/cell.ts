import type { CSSProperties } from 'react'
import type { Entry } from '#wire/entry.ts'

/** What shows an item knows where it is and how it is marked; gestures are the grid's. */
export interface CellProps {
  id: string
  entry: Entry
  /** Among the items. */
  index: number
  /** Where it lies in the body, in pixels; `x` from the inline start. */
  x: number
  y: number
  width: number
  height: number
  /** As assistive technology counts, from 1. */
  rowIndex: number
  isSelected: boolean
  isCursor: boolean
  isCut: boolean
  draggable: boolean
  /** Whether its picture may be asked for. */
  pictured: boolean
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
    'data-drop-path': entry.isDir ? entry.path : undefined,
    'data-resizer': '',
    draggable,
    style: tilePosition(cell),
  } as const
}

function tilePosition({ x, y, width, height }: CellProps): CSSProperties {
  return { insetInlineStart: x, insetBlockStart: y, inlineSize: width, blockSize: height }
}
