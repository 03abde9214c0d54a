/** The folders to which the user last moved or copied entries. This browser stores them. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import type { TreePath } from '#wire/paths.ts'
import { session } from '../session/session.ts'

const STORAGE_KEY = 'filemgr.destinations'

interface Row {
  userId: number
  path: TreePath
}

/** Puts a folder before all other destinations of the user. */
export function noteDestination(path: TreePath): void {
  const userId = session.user?.id
  if (userId === undefined) return
  const others = rows().filter((row) => row.userId !== userId || row.path !== path)
  remember(
    STORAGE_KEY,
    [{ userId, path }, ...others].slice(0, ON_DEMAND_LIMITS.storedDestinationsMax),
  )
}

/** @returns the destinations of the user, the last one first */
export function recentDestinations(): readonly TreePath[] {
  return rows()
    .filter(({ userId }) => userId === session.user?.id)
    .map(({ path }) => path)
}

function rows(): Row[] {
  return rememberedRows(STORAGE_KEY, isRow)
}

/** Only filemgr writes this key: another path can at most name a folder that does not exist. */
function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null && 'userId' in row && 'path' in row
}
