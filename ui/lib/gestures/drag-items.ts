/** Which operation starts if entries of the listing are dropped on a folder. */
import type { Entry } from '#wire/api/entry.ts'
import { isInside, type TreePath } from '#wire/paths.ts'

/** The dragged entries. */
export interface DraggedItems {
  entries: readonly Entry[]
  /** The folder that contains the entries. */
  from: TreePath
}

/** The rights of the user. */
export interface DragRights {
  move: boolean
  copy: boolean
}

/**
 * A drop moves. It copies if the modifier key is pressed, or if moving is not allowed.
 *
 * @returns undefined if the entries cannot be dropped on `to`: it is a dragged folder or inside one, or it contains the
 * entries already
 */
export function dropVerb(
  { entries, from }: DraggedItems,
  to: TreePath,
  rights: DragRights,
  wantsCopy: boolean,
): 'move' | 'copy' | undefined {
  const isInto = ({ isDir, path }: Entry) => isDir && isInside(to, path)
  if (to === from || entries.length === 0 || entries.some(isInto)) return undefined
  if (wantsCopy || !rights.move) return rights.copy ? 'copy' : undefined
  return 'move'
}
