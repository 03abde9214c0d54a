/** A folder of a storage that is open for several looks at it, so that its path is resolved and checked once. */
import type { FileStarts, StartOptions } from './file-starts.ts'
import type { FolderNodes, ListOptions } from './folder-nodes.ts'
import type { IndexedSearch } from './names.ts'
import type { Node } from './node.ts'

/** It stays the same folder while it is open, except on a file system that other threads read: there its path counts. */
export interface StorageFolder extends Disposable {
  /** The path with which it was opened. */
  readonly path: Node['path']

  /** @returns its node, as it was when it was opened */
  stat(): Promise<Node>

  /**
   * Lists it, unordered. Links that lead outside and the storage's own files are left out.
   * @throws Fault forbidden
   */
  list(options?: ListOptions): Promise<FolderNodes>

  /**
   * Reads the first bytes of several files into memory. `files` are nodes of `list`. The result is undefined for a link,
   * and for a file that was replaced since.
   */
  readStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts>

  /** Searches the index of names below it; undefined if only a walk can find the names. */
  find(query: string): Promise<IndexedSearch | undefined>

  /**
   * Key: the name of a subfolder; value: the total size in bytes of all files below it. Undefined if the index does not
   * know them.
   */
  sizes(): Promise<Map<string, number> | undefined>
}
