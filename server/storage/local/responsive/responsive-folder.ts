/** An open folder on the root's file system, whose entries may be mount points of others. */

import type { FileStarts, StartOptions } from '#server/storage/file-starts.ts'
import type { FolderNodes, ListOptions } from '#server/storage/folder-nodes.ts'
import type { IndexedSearch } from '#server/storage/names.ts'
import type { Node } from '#server/storage/node.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import type { TreePath } from '#wire/paths.ts'
import type { OtherDisks } from '../devices/other-disks.ts'
import type { OtherNodes } from '../operations/folder-contents.ts'
import type { LocalFolder } from '../operations/local-folder.ts'

export class ResponsiveFolder implements StorageFolder {
  readonly #inner: LocalFolder
  readonly #disks: OtherDisks
  readonly #others: OtherNodes | undefined

  /** @param others what shows mount points; undefined if there are none */
  constructor(inner: LocalFolder, disks: OtherDisks, others: OtherNodes | undefined) {
    this.#inner = inner
    this.#disks = disks
    this.#others = others
  }

  [Symbol.dispose](): void {
    this.#inner[Symbol.dispose]()
  }

  get path(): TreePath {
    return this.#inner.path
  }

  stat(): Promise<Node> {
    return this.#disks.timed(() => this.#inner.stat())
  }

  list(options: ListOptions = {}): Promise<FolderNodes> {
    return this.#disks.timed(() => this.#inner.list({ ...options, others: this.#others }))
  }

  readStarts(files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    return this.#inner.readStarts(files, options)
  }

  find(query: string): Promise<IndexedSearch | undefined> {
    return this.#inner.find(query)
  }

  sizes(): Promise<Map<string, number> | undefined> {
    return this.#inner.sizes()
  }
}
