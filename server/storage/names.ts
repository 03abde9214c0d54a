/** The contract of the index of names: the storage searches it and reports every change to it. */
import type { TreePath } from '#wire/paths.ts'

/** A batch of names that a search has found. */
export interface NameMatches {
  /** Relative to the searched folder. */
  paths: string[]
  /** Whether the path at this index of `paths` is a folder; a link is not one. */
  isFolder(index: number): boolean
  isLink(index: number): boolean
}

/** The result of the index for a search. */
export interface IndexedSearch {
  /** Milliseconds since the index was last compared with the disk. */
  ageMs: number
  /** Number of names in the index. */
  names: number
  /** In which part of the tree the file system ignores case. */
  foldsCase: 'nowhere' | 'everywhere' | 'somewhere'
  /** Folders that the index does not cover, relative to the searched folder; a walk searches them. */
  uncovered: TreePath[]
  /** The results. The caller calls `return` when it needs no more. */
  batches: AsyncGenerator<NameMatches>
  /** Called after the last batch: whether names are missing, because the index waits for a disk that does not answer. */
  isCut(): boolean
  /** Ends a search that was not started: `return` has no effect on a generator before its first `next`. */
  cancel(): void
}

export interface NameIndex {
  /** Reports changed paths of the served tree; if it is a folder, anything below it may have changed. */
  changed(paths: readonly TreePath[]): void
  /** Searches names below a folder of the served tree; undefined if only a walk can find the names. */
  find(folder: TreePath, query: string): Promise<IndexedSearch | undefined>
  /** Key: the name of a subfolder; value: total bytes of the files below it. Undefined while the index is not ready. */
  sizes(folder: TreePath): Promise<Map<string, number> | undefined>
}
