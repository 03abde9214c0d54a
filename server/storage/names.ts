/** What an index knows of the names in a tree: asked by the storage, told of every change that the storage makes. */
import type { TreePath } from '#wire/paths.ts'

/** Several names that were found. */
export interface NamesFound {
  /** From the searched folder, without a slash at the beginning. */
  paths: string[]
  /** Of each; a link is no folder here, wherever it leads. */
  isFolder(at: number): boolean
  isLink(at: number): boolean
}

/** A search that an index answers. */
export interface IndexedSearch {
  /** Since the index was last found to be equal to the disk. */
  ageMs: number
  /** Names in the index. */
  names: number
  /** Where names that differ only by case are one name. */
  foldsCase: 'nowhere' | 'everywhere' | 'somewhere'
  /** Folders that the index does not cover: paths from the searched folder, which are searched by a walk. */
  uncovered: TreePath[]
  /** What was found; to be ended by `return` when no more is wanted. */
  batches: AsyncGenerator<NamesFound>
  /** Ends a search of which nothing has been read: a generator that has not begun does not hear of its end. */
  cancel(): void
}

export interface NameIndex {
  /** Something under these names has changed, or everything in a folder of that name; from the served root. */
  changed(paths: readonly TreePath[]): void
  /** Names below a folder, from the served root, that a query means; undefined where only a walk can tell. */
  find(folder: TreePath, query: string): Promise<IndexedSearch | undefined>
  /** Bytes of all files in each subfolder of a folder, by name; undefined where nobody knows by now. */
  sizes(folder: TreePath): Promise<Map<string, number> | undefined>
}
