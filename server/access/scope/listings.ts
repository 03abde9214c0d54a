/**
 * Looks at the tree of a scope: nodes, listings, the name index, sizes, and changes. Folders that rules deny and that
 * lead to an allowed one are included, with only the children that lead on.
 */

import { linkTargetMissing } from '#server/lib/common-faults.ts'
import type { Node, Opened } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Usage } from '#wire/api/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { type Authorization, noAccess, noAccessTo } from '../authorization.ts'
import { ScopeFolder } from './scope-folder.ts'

export class ScopeListings {
  readonly #visible: Storage
  readonly #authorization: Authorization

  /** @param storage which opens only what the actor may see */
  constructor(storage: Storage, authorization: Authorization) {
    this.#visible = storage
    this.#authorization = authorization
  }

  /** @throws Fault notFound, forbidden */
  async stat(path: TreePath): Promise<Node> {
    const storage = this.#storageOf(path)
    if (storage === this.#visible) return storage.stat(path)
    const node = await storage.find(path)
    // A denied path is forbidden, whether or not something is there.
    const { filter } = this.#authorization
    if (!node) throw noAccess(filter, path)
    if (!filter.isNodeVisible(node)) throw noAccessTo(filter, node)
    return node
  }

  /**
   * Opens a file.
   *
   * @throws Fault notFound, isDirectory, unsupported, forbidden
   */
  async read(path: TreePath, range?: Parameters<Storage['read']>[1]): Promise<Opened> {
    await this.requireFile(path)
    try {
      return await this.#visible.read(path, range)
    } catch (error) {
      // `outside` is also the fault of a link that leads to itself.
      if (!isFault(error, 'notFound', 'outside')) throw error
      const node = await this.stat(path).catch(() => undefined)
      throw node?.kind === 'danglingLink' ? linkTargetMissing({ cause: error }) : error
    }
  }

  /**
   * Checks that the actor may see what may be a file.
   *
   * @throws Fault forbidden, isDirectory (a folder that only leads to an allowed one)
   */
  async requireFile(path: TreePath): Promise<void> {
    if (this.#authorization.filter.isVisible(path)) return
    await this.stat(path)
    throw new Fault('isDirectory', 'This is a folder.')
  }

  /**
   * Opens a folder, also a denied one that leads to an allowed one. The caller disposes of it.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  async openFolder(path: TreePath): Promise<ScopeFolder> {
    return ScopeFolder.open(this.#storageOf(path), this.#authorization, path)
  }

  /**
   * @param userId whose writes may use what is free
   * @throws Fault notFound, forbidden
   */
  async usage(path: TreePath, userId: number): Promise<Usage> {
    return this.#storageOf(path).usage(path, userId)
  }

  /**
   * Calls `changed` when a folder changes, until it is disposed of.
   *
   * @throws Fault notFound, notDirectory, forbidden, unavailable, unsupported (the storage does not report changes)
   */
  async watch(path: TreePath, changed: () => void): Promise<Disposable> {
    const { watch } = this.#storageOf(path).can
    if (watch) return watch(path, changed)
    throw new Fault('unsupported', 'This storage does not report changes.')
  }

  /**
   * @returns for a folder that only leads to an allowed one, a storage that opens such folders
   * @throws Fault forbidden
   */
  #storageOf(path: TreePath): Storage {
    const authorization = this.#authorization
    if (authorization.filter.isVisible(path)) return this.#visible
    authorization.requireListed(path)
    return this.#visible.within(ROOT, {
      checkPath: (real, foldsCase) => authorization.requireListed(real, foldsCase),
    })
  }
}
