/** Finds what was changed in a tree, by the times that the kernel sets and users cannot (ctime). */
import type { BigIntStats } from 'node:fs'
import { LIMITS } from '#wire/limits.ts'
import { lstatAt, type Staged } from './atomic.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { type Mark, markOf } from './step.ts'

/** The event loop gets a turn after so many entries. */
const SLICE = 512

/** The ctime in whole milliseconds, rounded up. */
export function ctimeMsOf({ ctimeNs }: BigIntStats): number {
  return Math.ceil(Number(ctimeNs / 1000n) / 1000)
}

/**
 * Walks a tree without following links; a folder on another file system is not entered.
 *
 * @param sinceMs milliseconds since the epoch, by the clock of the file system
 * @param limit the walk ends after so many
 * @returns the marks of entries inside that came or were changed later
 * @throws system errors if something cannot be read
 */
export async function changedSince(root: Staged, sinceMs: number, limit: number): Promise<Mark[]> {
  const marks: Mark[] = []
  const since = BigInt(sinceMs) * 1_000_000n
  let visited = 0

  async function visit({ parent, name }: Staged, depth: number, device?: bigint) {
    visited += 1
    if (visited % SLICE === 0) await new Promise(setImmediate)
    const stats = lstatAt({ parent, name })
    if (!stats) return
    // Only another program can make a tree too deep.
    const isTooDeep = depth > LIMITS.treeDepthMax
    if (depth > 0 && (isTooDeep || isChanged(stats, since))) marks.push(markOf(stats))
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

/** A folder in which names changed is left out: a new name is an entry of its own, and a lost one cannot be kept. */
function isChanged(stats: BigIntStats, since: bigint): boolean {
  if (stats.ctimeNs <= since) return false
  return !stats.isDirectory() || stats.mtimeNs <= since || stats.birthtimeNs > since
}
