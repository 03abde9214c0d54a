/** The index of names in a tree: the storage asks it, and reports to it every change that it makes. */
import type { TreePath } from '#wire/paths.ts'

/** Several names that were found. */
export interface NamesFound {
  /** From the searched folder, without a slash at the beginning. */
  paths: string[]
  /** Whether the path of this number is a folder; a link is none, whatever it leads to. */
  isFolder(at: number): boolean
  isLink(at: number): boolean
}

/** A search that an index answers. */
export interface IndexedSearch {
  /** Milliseconds since the index was last compared with the disk. */
  ageMs: number
  /** Names in the index. */
  names: number
  /** In which part of the tree names that differ only by case are one name. */
  foldsCase: 'nowhere' | 'everywhere' | 'somewhere'
  /** Folders that the index does not cover: paths from the searched folder, which are searched by a walk. */
  uncovered: TreePath[]
  /** What was found; to be ended by `return` when no more is wanted. */
  batches: AsyncGenerator<NamesFound>
  /** Ends a search of which nothing has been read: `return` of a generator that was never started ends nothing. */
  cancel(): void
}

export interface NameIndex {
  /** These paths have changed; of a folder, anything below it. From the served root. */
  changed(paths: readonly TreePath[]): void
  /** Names below a folder, from the served root, that match a query; undefined where only a walk can tell. */
  find(folder: TreePath, query: string): Promise<IndexedSearch | undefined>
  /** Bytes of all files in each subfolder of a folder, by name; undefined while the index is not ready. */
  sizes(folder: TreePath): Promise<Map<string, number> | undefined>
}
