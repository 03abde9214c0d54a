/** Builds a Node from the stats of a file. */
import { constants, type Stats } from 'node:fs'
import type { Node, NodeKind } from '#server/storage/node.ts'
import { clampTime } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/** @param stats of the link's target, or of the link itself if it dangles */
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
    modifiedMs: clampTime(stats.mtimeMs),
    mode: stats.mode,
    version: versionOf(stats),
    identity: nodeIdentityOf(stats.ino),
    bornMs: stats.birthtimeMs,
    device: stats.dev,
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

/** @returns the kind for st_mode; a link counts as itself */
export function kindOf(mode: number): NodeKind {
  return KINDS[mode & constants.S_IFMT] ?? 'device'
}

/**
 * The version consists of the modification time, the ctime, the size and the inode. Users can set the modification
 * time, and file systems reuse inodes, but no program can set the ctime (inode(7)).
 */
export function versionOf({
  mtimeMs,
  ctimeMs,
  size,
  ino,
}: Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>): string {
  return `${hexMicros(mtimeMs)}-${hexMicros(ctimeMs)}-${size.toString(16)}-${ino.toString(16)}`
}

function hexMicros(timeMs: number): string {
  return Math.round(timeMs * 1000).toString(16)
}

/** @returns `Node.identity`: it identifies the object within its file system */
export function nodeIdentityOf(ino: number): string {
  return ino.toString(16)
}

/**
 * @param disk a real path from the kernel, so it contains no `.` or `..`; at `root` or below it
 * @returns the path relative to `root`, as a tree path; for comparison and rules, never for opening
 */
export function belowRoot(root: string, disk: string): TreePath {
  return (disk.replace(/^\/+/, '/').slice(root === '/' ? 0 : root.length) || '/') as TreePath
}
