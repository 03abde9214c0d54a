/** The rows of the trash: its items in the form that sorting, filtering and selecting use. */
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { nameOf, parentPath, parsePath, type TreePath } from '#wire/paths.ts'

export interface TrashRow {
  item: TrashItemInfo
  /** Identifies the row. Several items may have had the same path. */
  path: string
  name: string
  /** The folder that it was deleted from. */
  folder: TreePath
  size: number
  /** The time of the deletion: the trash has it in place of the modification time. */
  modified: string
  /** Folders are sorted among files. */
  isDir: false
}

/** @returns the row of each item, in the same order */
export function rowsOf(items: readonly TrashItemInfo[]): readonly TrashRow[] {
  return items.map((item) => {
    const path = parsePath(item.path)
    return {
      item,
      path: String(item.id),
      name: nameOf(path),
      folder: parentPath(path),
      size: item.size,
      modified: item.time,
      isDir: false,
    }
  })
}
