/** The last position in each film, recording and book. It is stored in the browser. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { session } from '../session/session.ts'

const STORAGE_KEY = 'filemgr.bookmarks'

/**
 * @param file identifies the file: its path, or its share and path
 * @returns seconds in a film or recording; in a book the index of the chapter, plus the fraction of it that was read
 */
export function positionIn(file: string): number | undefined {
  return read().get(keyOf(file))
}

/** Stores a position; undefined deletes it. */
export function savePosition(file: string, position: number | undefined): void {
  const positions = read()
  positions.delete(keyOf(file))
  if (position !== undefined) positions.set(keyOf(file), position)
  remember(STORAGE_KEY, [...positions].slice(-ON_DEMAND_LIMITS.storedBookmarksMax))
}

function keyOf(file: string): string {
  return `${session.user?.id ?? ''}:${file}`
}

function read(): Map<string, number> {
  return new Map(rememberedRows(STORAGE_KEY, isRow))
}

function isRow(row: unknown): row is [string, number] {
  return Array.isArray(row) && typeof row[0] === 'string' && Number.isFinite(row[1])
}
