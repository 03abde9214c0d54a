/** A folder on a local disk that is open for several looks at it. */

import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import type { FolderNodes } from '#server/storage/folder-nodes.ts'
import type { IndexedSearch } from '#server/storage/names.ts'
import type { Node } from '#server/storage/node.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { withFaults } from '../handles/faults.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import { type OpenFolder, peekRequestOf, startsOfFiles } from '../read/folder-records.ts'
import { childrenOf, type LocalListOptions } from './folder-contents.ts'
import type { ServedFolder } from './served-folder.ts'

export class LocalFolder implements StorageFolder {
  readonly #folder: OpenFolder
  readonly #confined: ConfinedFolder
  readonly #served: ServedFolder

  private constructor(folder: OpenFolder, confined: ConfinedFolder, served: ServedFolder) {
    this.#folder = folder
    this.#confined = confined
    this.#served = served
  }

  /**
   * @param confined closed with the folder
   * @throws Fault notDirectory, forbidden; system errors
   */
  static open(confined: ConfinedFolder, path: TreePath, served: ServedFolder): LocalFolder {
    try {
      return new LocalFolder(confined.openFolder(path), confined, served)
    } catch (error) {
      confined[Symbol.dispose]()
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
    this.#confined[Symbol.dispose]()
  }

  get path(): TreePath {
    return this.#folder.path
  }

  stat(): Promise<Node> {
    return withFaults(() => this.#confined.nodeOfFolder(this.#folder))
  }

  list(options: LocalListOptions = {}): Promise<FolderNodes> {
    const { threads, serverFiles } = this.#served
    const view = { confined: this.#confined, serverFiles, threads }
    return withFaults(() => childrenOf(this.#folder, view, options))
  }

  readStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    return withFaults(async () => {
      const requested = peekRequestOf(files, options)
      const result = await this.#served.threads.peek(this.#folder.handle, requested)
      return startsOfFiles(result, requested, options.room)
    })
  }

  find(query: string): Promise<IndexedSearch | undefined> {
    return withFaults(async () => this.#served.index?.find(this.#pathInServed, query))
  }

  sizes(): Promise<Map<string, number> | undefined> {
    return withFaults(async () => this.#served.index?.sizes(this.#pathInServed))
  }

  /** Its path below the served root, links resolved, as the index knows it. */
  get #pathInServed(): TreePath {
    return belowRoot(this.#served.root.realPath(), this.#folder.handle.realPath())
  }
}
