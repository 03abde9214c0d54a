/**
 * Filters the results of the name index by what an actor may see: the path and real path of each result, and each
 * folder above it.
 */
import { pacer } from '#server/lib/slices.ts'
import type { IndexedSearch, NameMatches } from '#server/storage/names.ts'
import type { Node } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import { Fault } from '#wire/fault.ts'
import { DEPTH_MAX, joinPath, segmentsOf, type TreePath } from '#wire/paths.ts'
import type { PathFilter } from '../path-filter.ts'

/** A name that the search found and the actor may see. */
export interface FoundName {
  /** Relative to the searched folder. */
  path: string
  isFolder: boolean
}

/** The result of the index, filtered for one actor. */
export interface VisibleSearch {
  /** Milliseconds since the index was last compared with the disk. */
  ageMs: number
  /** Number of names in the index, including those that the actor may not see. */
  nameCount: number
  /** Folders that the index does not cover; a walk searches them. */
  uncovered: TreePath[]
  batches: AsyncGenerator<FoundName[]>
  /** As in `IndexedSearch`. */
  isCut(): boolean
}

export class IndexedNames {
  readonly #storage: Storage
  readonly #filter: PathFilter
  readonly #folder: Node
  readonly #foldsCase: boolean
  /** A cache. Key: the path of a folder relative to the searched one; value: whether the actor may see it. */
  readonly #visibleFolders = new Map<string, boolean>([['', true]])

  private constructor(storage: Storage, filter: PathFilter, folder: Node, foldsCase: boolean) {
    this.#storage = storage
    this.#filter = filter
    this.#folder = folder
    this.#foldsCase = foldsCase
  }

  /**
   * @param folder visible to the actor
   * @param view what opens the links that are found, and what the actor may see
   * @returns undefined if only a walk can find the names
   */
  static async search(
    folder: StorageFolder,
    query: string,
    { storage, filter }: { storage: Storage; filter: PathFilter },
  ): Promise<VisibleSearch | undefined> {
    const node = await folder.stat()
    const search = await folder.find(query)
    if (!search) return undefined
    const { foldsCase, ageMs, names, uncovered } = search
    // Rules ignore case in folders whose file system ignores it. If only some do ('somewhere'), the index does not know
    // which.
    if (foldsCase === 'somewhere' && !filter.isUnrestricted) {
      search.cancel()
      return undefined
    }
    const visible = new IndexedNames(storage, filter, node, foldsCase === 'everywhere')
    return {
      ageMs,
      nameCount: names,
      uncovered: uncovered
        .filter((path) => visible.#isVisible(path.slice(1)))
        .map((path) => joinPath(folder.path, path)),
      batches: visible.#batches(search),
      isCut: search.isCut,
    }
  }

  async *#batches({ batches }: IndexedSearch): AsyncGenerator<FoundName[]> {
    for await (const batch of batches) yield await this.#visibleNames(batch)
  }

  /** Removes the names that the actor may not see. A link needs its target, which the index does not store. */
  async #visibleNames(batch: NameMatches): Promise<FoundName[]> {
    const visible: FoundName[] = []
    const pace = pacer()
    for (const [index, path] of batch.paths.entries()) {
      await pace()
      if (!this.#isVisible(parentOf(path))) continue
      if (batch.isLink(index)) {
        const link = await this.#linked(path)
        if (link) visible.push({ path, isFolder: link.kind === 'folder' })
      } else {
        const isFolder = batch.isFolder(index)
        if (this.#isVisibleAlone(path, isFolder)) visible.push({ path, isFolder })
      }
    }
    return visible
  }

  /** Whether the actor may see a folder below the searched one and all folders above it. */
  #isVisible(folder: string): boolean {
    const known = this.#visibleFolders.get(folder)
    if (known !== undefined) return known
    const isVisible = this.#isVisible(parentOf(folder)) && this.#isVisibleAlone(folder, true)
    this.#visibleFolders.set(folder, isVisible)
    return isVisible
  }

  /** Whether the actor may see this path, regardless of the folders above it. */
  #isVisibleAlone(path: string, isFolder: boolean): boolean {
    const { path: folder, real } = this.#folder
    const requestedPath = below(folder, path)
    if (isTooDeep(requestedPath)) return false
    if (this.#filter.isUnrestricted) return true
    const realPath = real === folder ? requestedPath : below(real, path)
    const isVisible = (treePath: TreePath) =>
      isFolder
        ? this.#filter.isListed(treePath, this.#foldsCase)
        : this.#filter.isVisible(treePath, this.#foldsCase)
    return isVisible(requestedPath) && (realPath === requestedPath || isVisible(realPath))
  }

  /** @returns the target of a link, if a listing would show it */
  async #linked(path: string): Promise<Node | undefined> {
    const requestedPath = below(this.#folder.path, path)
    if (isTooDeep(requestedPath)) return undefined
    try {
      const link = await this.#storage.stat(requestedPath)
      return this.#filter.isNodeVisible(link) ? link : undefined
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
  }
}

/** @param path from the index, which the kernel filled, so it needs no checks */
function below(folder: TreePath, path: string): TreePath {
  return (folder === '/' ? `/${path}` : `${folder}/${path}`) as TreePath
}

/**
 * Whether the path is too deep for a listing. Each level takes at least two characters, so short paths need no
 * counting.
 */
function isTooDeep(path: TreePath): boolean {
  return path.length >= 2 * DEPTH_MAX && segmentsOf(path).length > DEPTH_MAX
}

function parentOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end < 0 ? '' : path.slice(0, end)
}
