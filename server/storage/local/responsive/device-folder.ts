/** A folder on another file system, whose threads open it at each look. */

import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import type { FolderNodes, ListOptions } from '#server/storage/folder-nodes.ts'
import type { IndexedSearch, NameIndex } from '#server/storage/names.ts'
import type { Node } from '#server/storage/node.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { DeviceView } from './device-view.ts'

interface DeviceFolderDeps {
  view: DeviceView
  /** Names of mount points in the folder. */
  mounts: readonly string[]
  index: NameIndex | undefined
}

export class DeviceFolder implements StorageFolder {
  readonly path: TreePath
  readonly #node: Node
  readonly #deps: DeviceFolderDeps

  private constructor(path: TreePath, node: Node, deps: DeviceFolderDeps) {
    this.path = path
    this.#node = node
    this.#deps = deps
  }

  /** @throws Fault unavailable, notFound, notDirectory, forbidden */
  static async open(path: TreePath, deps: DeviceFolderDeps): Promise<DeviceFolder> {
    const node = await deps.view.stat(path)
    if (node.kind !== 'folder') throw new Fault('notDirectory', 'This is not a folder.')
    return new DeviceFolder(path, node, deps)
  }

  [Symbol.dispose](): void {
    // Nothing stays open.
  }

  async stat(): Promise<Node> {
    return this.#node
  }

  list(options: ListOptions = {}): Promise<FolderNodes> {
    return this.#deps.view.list(this.path, options, this.#deps.mounts)
  }

  readStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    return this.#deps.view.readStarts(this.path, files, options)
  }

  async find(query: string): Promise<IndexedSearch | undefined> {
    const { index, view } = this.#deps
    return index?.find(await view.folderPath(this.path), query)
  }

  async sizes(): Promise<Map<string, number> | undefined> {
    const { index, view } = this.#deps
    return index?.sizes(await view.folderPath(this.path))
  }
}
