/** How often each file and folder was opened in this browser: the finder ranks its results by this. */

import { subscribeKey } from 'valtio/utils'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import type { TreePath } from '#wire/paths.ts'
import { listing } from '../folder/listing.ts'
import { music } from '../media/music.ts'
import { session } from '../session/session.ts'

const STORAGE_KEY = 'filemgr.uses'

/** Counts every file and folder that is shown or played. */
export function watchUses(): void {
  const countShown = () => {
    if (listing.entry) countUse(listing.path)
  }
  countShown()
  subscribeKey(listing, 'entry', countShown)
  subscribeKey(music, 'starts', () => {
    const track = music.tracks[music.index]
    if (track) countUse(track.path)
  })
}

/** The key that was counted last: a reload of the same page is not counted again. */
let lastKey: string | undefined

/** Counts one use; the same path is not counted twice in succession. */
export function countUse(path: TreePath): void {
  const key = keyOf(path)
  if (key === lastKey) return
  lastKey = key
  const uses = read()
  const count = (uses.get(key) ?? 0) + 1
  uses.delete(key)
  uses.set(key, count)
  // When one count reaches the maximum, all are halved, so that old uses count less.
  const divisor = count >= ON_DEMAND_LIMITS.useCountMax ? 2 : 1
  const rows = [...uses].map(([key, times]) => [key, Math.floor(times / divisor)])
  remember(
    STORAGE_KEY,
    rows.filter(([, times]) => times !== 0).slice(-ON_DEMAND_LIMITS.storedUsesMax),
  )
}

/** @returns a function that returns the count of a path */
export function usesByPath(): (path: TreePath) => number {
  const uses = read()
  return (path) => uses.get(keyOf(path)) ?? 0
}

function keyOf(path: TreePath): string {
  return `${session.user?.id ?? ''}:${path}`
}

/** @returns the counts by user and path; the path that was opened last is at the end */
function read(): Map<string, number> {
  return new Map(rememberedRows(STORAGE_KEY, isRow))
}

function isRow(row: unknown): row is [string, number] {
  return Array.isArray(row) && typeof row[0] === 'string' && Number.isFinite(row[1])
}
