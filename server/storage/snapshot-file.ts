/** Versions of files in file system snapshots. */
import type { TreePath } from '#wire/paths.ts'
import type { ByteRange, Node, Opened } from './node.ts'

/** A file as it was in a snapshot. */
export interface SnapshotFile {
  /** Negative; versions in the trash have positive ids. */
  id: number
  /** The name of the snapshot. */
  name: string
  sizeBytes: number
  modifiedMs: number
}

/**
 * Which files in snapshots count as earlier contents of a file: those since the file exists. A time in milliseconds: the
 * file is known to exist since then or earlier. Undefined: only its birth time counts. `any`: every file that had its path.
 */
export type KnownSince = number | 'any' | undefined

export interface Snapshots {
  /**
   * @returns earlier contents of a file, newest first, each once, without the present one
   * @throws Fault notFound
   */
  list(path: TreePath, known: KnownSince): Promise<SnapshotFile[]>
  /**
   * Opens one of them.
   *
   * @throws Fault notFound
   */
  read(
    path: TreePath,
    id: number,
    known: KnownSince,
    range?: (node: Node) => ByteRange | undefined,
  ): Promise<Opened>
}
