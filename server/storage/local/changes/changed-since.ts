/** Finds the entries of a tree that changed, by the ctime, which the kernel sets and users cannot. */

import type { BigIntStats } from 'node:fs'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { pacer } from '#server/lib/slices.ts'
import { type Mark, markOf } from '#server/storage/step.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'

/** The ctime in whole milliseconds, rounded up. */
export function ctimeMsOf({ ctimeNs }: Pick<BigIntStats, 'ctimeNs'>): number {
  return Number((ctimeNs + 999_999n) / 1_000_000n)
}

/**
 * Walks a tree without following links; a folder on another file system is not entered.
 *
 * @param sinceMs milliseconds since the epoch, by the clock of the file system
 * @param limit the walk ends when it has found so many entries
 * @returns the marks of entries inside the tree that were created or changed after `sinceMs`
 * @throws system errors if something cannot be read
 */
export async function changedSince(root: Slot, sinceMs: number, limit: number): Promise<Mark[]> {
  const marks: Mark[] = []
  const sinceNs = BigInt(sinceMs) * 1_000_000n
  const pace = pacer()

  async function visit({ parent, name }: Slot, depth: number, device?: bigint) {
    await pace()
    const stats = lstatAt({ parent, name })
    if (!stats) return
    // Only another program can create such a tree; an entry deeper than the limit counts as changed.
    const isTooDeep = depth > SERVER_LIMITS.treeDepthMax
    if (depth > 0 && (isTooDeep || isChanged(stats, sinceNs))) marks.push(markOf(stats))
    if (isTooDeep || !stats.isDirectory() || stats.dev !== (device ?? stats.dev)) return
    using folder = parent.child(name, FOLDER_FLAGS)
    for (const child of folder.names()) {
      if (marks.length >= limit) return
      await visit({ parent: folder, name: child }, depth + 1, stats.dev)
    }
  }

  await visit(root, 0)
  return marks
}

/**
 * Whether an entry was created or changed. An older folder in which only names changed does not count: a new
 * name is an entry of its own, and a removed one is already lost.
 */
function isChanged(stats: BigIntStats, sinceNs: bigint): boolean {
  if (stats.ctimeNs <= sinceNs) return false
  return !stats.isDirectory() || stats.mtimeNs <= sinceNs || stats.birthtimeNs > sinceNs
}
