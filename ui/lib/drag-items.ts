/** What becomes of items of the listing that are dropped on a folder. */
import type { Entry } from '#wire/entry.ts'
import { isInside, type TreePath } from '#wire/paths.ts'

/** Items under way. */
export interface DraggedItems {
  entries: readonly Entry[]
  /** The folder they are in. */
  from: TreePath
}

/** What the person may do. */
export interface DragRights {
  move: boolean
  copy: boolean
}

/**
 * Dropping moves; it copies when that is wanted, and where moving is not allowed. Undefined: these
 * items cannot be dropped on `to`, because it is one of them, is inside one, or holds them already.
 */
export function dropVerb(
  { entries, from }: DraggedItems,
  to: TreePath,
  rights: DragRights,
  wantsCopy: boolean,
): 'move' | 'copy' | undefined {
  const into = ({ isDir, path }: Entry) => isDir && isInside(to, path)
  if (to === from || entries.length === 0 || entries.some(into)) return undefined
  if (wantsCopy || !rights.move) return rights.copy ? 'copy' : undefined
  return 'move'
}
