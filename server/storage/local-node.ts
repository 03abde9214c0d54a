/** What the disk says of a thing, as a Node. */
import type { Stats } from 'node:fs'
import { LATEST_MS } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Node, NodeKind } from './storage.ts'

/** `stats` of the thing a link leads to, or of the link itself when it dangles. */
export function nodeOf(
  path: TreePath,
  stats: Stats,
  place: { real?: TreePath; isLink?: boolean; foldsCase?: boolean } = {},
): Node {
  return {
    path,
    real: place.real ?? path,
    kind: kindOf(stats),
    isLink: stats.isSymbolicLink() || place.isLink === true,
    sizeBytes: stats.size,
    // Some file systems keep times that no date can say.
    modifiedMs: Math.min(Math.max(stats.mtimeMs, -LATEST_MS), LATEST_MS),
    mode: stats.mode,
    version: versionOf(stats),
    identity: stats.ino.toString(16),
    foldsCase: place.foldsCase ?? false,
  }
}

function kindOf(stats: Stats): NodeKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isSymbolicLink()) return 'danglingLink'
  if (stats.isFIFO()) return 'pipe'
  if (stats.isSocket()) return 'socket'
  return 'device'
}

/**
 * Both times, size and inode. People choose the time of modification, and a file system gives a freed
 * inode to the next file; nobody chooses the time of change (inode(7)).
 */
function versionOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  const times = [mtimeMs, ctimeMs].map((timeMs) => Math.round(timeMs * 1000))
  return [...times, size, ino].map((part) => part.toString(16)).join('-')
}
