/** A folder that an actor sees, open for several looks at it. */

import { collectInSlices } from '#server/lib/slices.ts'
import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import type { FolderNodes, ListOptions } from '#server/storage/folder-nodes.ts'
import type { Node } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Authorization, noAccess, noAccessTo } from '../authorization.ts'
import { requireAction } from '../policy.ts'
import { IndexedNames, type VisibleSearch } from './indexed-names.ts'

export class ScopeFolder implements Disposable {
  readonly #folder: StorageFolder
  readonly #storage: Storage
  readonly #authorization: Authorization

  private constructor(folder: StorageFolder, storage: Storage, authorization: Authorization) {
    this.#folder = folder
    this.#storage = storage
    this.#authorization = authorization
  }

  /**
   * @param storage which opens what the actor may list at `path`
   * @throws Fault notFound, notDirectory, forbidden
   */
  static async open(
    storage: Storage,
    authorization: Authorization,
    path: TreePath,
  ): Promise<ScopeFolder> {
    const { filter } = authorization
    const open = async () => new ScopeFolder(await storage.openFolder(path), storage, authorization)
    if (filter.isVisible(path)) return open()
    try {
      using opening = new DisposableStack()
      const folder = opening.use(await open())
      const node = await folder.stat()
      if (!filter.isNodeVisible(node)) throw noAccessTo(filter, node)
      opening.move()
      return folder
    } catch (error) {
      // A denied path is forbidden, whether or not something is there.
      throw isFault(error, 'notFound', 'notDirectory') ? noAccess(filter, path) : error
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }

  get path(): TreePath {
    return this.#folder.path
  }

  stat(): Promise<Node> {
    return this.#folder.stat()
  }

  /**
   * Lists the nodes that the actor may see. They are made on access.
   *
   * @throws Fault forbidden
   */
  async children({ early, names }: ListOptions = {}): Promise<FolderNodes> {
    const { filter } = this.#authorization
    const onFirst = async (nodes: FolderNodes, total: number) =>
      early?.onFirst(await filter.visibleNodes(nodes), total)
    const options = { names, early: early && { ...early, onFirst } }
    return filter.visibleNodes(await this.#folder.list(options))
  }

  /** As `children`, with all nodes at once. @throws as `children` */
  async list(options?: ListOptions): Promise<Node[]> {
    return collectInSlices(await this.children(options))
  }

  /**
   * Reads the first bytes of several files of the folder, as `list` returned them. Undefined for files that must be
   * read one by one.
   *
   * @throws Fault forbidden
   */
  async readStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    requireAction(this.#authorization.actor, 'download')
    return this.peekStarts(files, options)
  }

  /**
   * As `readStarts`, for the server's own use like `Scope.peek`.
   *
   * @throws as `readStarts`
   */
  async peekStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    this.#authorization.requireVisible(this.path)
    for (const file of files) this.#authorization.requireNodeVisible(file)
    return this.#folder.readStarts(files, options)
  }

  /** Searches the name index below the folder; undefined if only a walk can find the names. */
  search(query: string): Promise<VisibleSearch | undefined> {
    return IndexedNames.search(this.#folder, query, {
      storage: this.#storage,
      filter: this.#authorization.filter,
    })
  }

  /**
   * The total size of the files in each subfolder, by name; undefined if it is not known yet. Actors with rules or
   * hidden dotfiles get no sizes, because these would reveal the size of hidden files.
   */
  async sizes(): Promise<Map<string, number> | undefined> {
    return this.#authorization.filter.isUnrestricted ? this.#folder.sizes() : undefined
  }
}
