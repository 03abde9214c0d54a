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

export interface Snapshots {
  /**
   * @returns earlier contents of a file, newest first, each once, without the present one
   * @throws Fault notFound
   */
  list(path: TreePath): Promise<SnapshotFile[]>
  /**
   * Opens one of them.
   *
   * @throws Fault notFound
   */
  read(path: TreePath, id: number, range?: (node: Node) => ByteRange | undefined): Promise<Opened>
}
