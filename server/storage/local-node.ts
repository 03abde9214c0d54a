/** What the disk says of a thing, as a Node. */
import { constants, type Stats } from 'node:fs'
import { LATEST_MS } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Node, NodeKind } from './node.ts'

/** `stats` of the thing a link leads to, or of the link itself when it dangles. */
export function nodeOf(
  path: TreePath,
  stats: Stats,
  known: { real?: TreePath; isLink?: boolean; foldsCase?: boolean } = {},
): Node {
  return {
    path,
    real: known.real ?? path,
    kind: kindOf(stats.mode),
    isLink: stats.isSymbolicLink() || known.isLink === true,
    sizeBytes: stats.size,
    modifiedMs: timeOf(stats.mtimeMs),
    mode: stats.mode,
    version: versionOf(stats),
    identity: objectOf(stats.ino),
    foldsCase: known.foldsCase ?? false,
  }
}

const KINDS: Record<number, NodeKind> = {
  [constants.S_IFREG]: 'file',
  [constants.S_IFDIR]: 'folder',
  [constants.S_IFLNK]: 'danglingLink',
  [constants.S_IFIFO]: 'pipe',
  [constants.S_IFSOCK]: 'socket',
}

/** What st_mode says a thing is; a link stands for itself. */
export function kindOf(mode: number): NodeKind {
  return KINDS[mode & constants.S_IFMT] ?? 'device'
}

/** Some file systems keep times that no date can say. */
export function timeOf(mtimeMs: number): number {
  return Math.min(Math.max(mtimeMs, -LATEST_MS), LATEST_MS)
}

/**
 * Both times, size and inode. People choose the time of modification, and a file system gives a freed
 * inode to the next file; nobody chooses the time of change (inode(7)).
 */
export function versionOf({
  mtimeMs,
  ctimeMs,
  size,
  ino,
}: Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>): string {
  const times = [mtimeMs, ctimeMs].map((timeMs) => Math.round(timeMs * 1000))
  return [...times, size, ino].map((part) => part.toString(16)).join('-')
}

/** Which object of its file system it is. */
export function objectOf(ino: number): string {
  return ino.toString(16)
}

/**
 * The name of a place on the disk, seen from `top`. The kernel made the text, so it is clean; it
 * serves for comparing and for rules, and is never opened as it is.
 */
export function belowTop(top: string, disk: string): TreePath {
  return (disk.replace(/^\/+/, '/').slice(top === '/' ? 0 : top.length) || '/') as TreePath
}
