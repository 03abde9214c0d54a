/** A storage in memory. It passes the contract suite, which shows that the interface does not depend on a disk. */
import type { StartOptions } from '#server/storage/file-starts.ts'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import type { ByteRange, Node, Opened, Source } from '#server/storage/node.ts'
import type {
  MakeFolderOptions,
  Moved,
  RemoveOptions,
  Storage,
  TransferOptions,
  WriteOptions,
} from '#server/storage/storage.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import { Fault } from '#wire/fault.ts'
import {
  isInside,
  joinPath,
  nameOf,
  parentPath,
  ROOT,
  relativePath,
  type TreePath,
} from '#wire/paths.ts'

interface Item {
  bytes: Uint8Array<ArrayBuffer> | undefined
  modifiedMs: number
  version: number
}

export class MemoryStorage implements Storage {
  readonly can = { links: false, write: true, foldsCase: false }
  readonly #items: Map<TreePath, Item>
  readonly #top: TreePath

  constructor(items = new Map<TreePath, Item>([[ROOT, folder()]]), top: TreePath = ROOT) {
    this.#items = items
    this.#top = top
  }

  async stat(path: TreePath): Promise<Node> {
    return this.#node(path, this.#get(path))
  }

  async openFolder(path: TreePath): Promise<StorageFolder> {
    if (this.#get(path).bytes) throw new Fault('notDirectory', 'not a folder')
    return {
      path,
      stat: () => this.stat(path),
      list: () => this.list(path),
      readStarts: async (files, options) => this.#starts(files, options),
      find: async () => undefined,
      sizes: async () => undefined,
      [Symbol.dispose]: () => undefined,
    }
  }

  async list(path: TreePath): Promise<FolderNodes> {
    if (this.#get(path).bytes) throw new Fault('notDirectory', 'not a folder')
    const here = joinPath(this.#top, path)
    const inside = [...this.#items].filter(([at]) => at !== here && parentPath(at) === here)
    return FolderNodes.of(inside.map(([at, item]) => this.#node(joinPath(path, nameOf(at)), item)))
  }

  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    const item = this.#get(path)
    if (!item.bytes) throw new Fault('isDirectory', 'a folder')
    const node = this.#node(path, item)
    const asked = range?.(node)
    const last = item.bytes.length - 1
    const wanted = asked && { first: asked.first, last: Math.min(asked.last, last) }
    const part = wanted ? item.bytes.slice(wanted.first, wanted.last + 1) : item.bytes
    const bytes = new Blob([part]).stream()
    const content = item.bytes
    return {
      node,
      range: wanted,
      disk: undefined,
      bytes,
      part: ({ first, last }) => new Blob([content.slice(first, last + 1)]).stream(),
      close: () => undefined,
    }
  }

  #starts(files: readonly Node[], { bytesMax }: StartOptions) {
    return files.map((file) => {
      const item = this.#items.get(joinPath(this.#top, file.path))
      if (!item?.bytes || this.#node(file.path, item).version !== file.version) return undefined
      return { bytes: item.bytes.slice(0, bytesMax), isAll: item.bytes.length <= bytesMax }
    })
  }

  async find(path: TreePath): Promise<Node | undefined> {
    return this.#items.has(joinPath(this.#top, path)) ? this.stat(path) : undefined
  }

  async write(path: TreePath, from: Source, how: WriteOptions): Promise<Node> {
    if ('ownedFile' in from) throw new Fault('unsupported', 'memory owns no files')
    const bytes = from instanceof Uint8Array ? from.slice() : await new Response(from).bytes()
    const existing = this.#items.get(joinPath(this.#top, path))
    await how.record?.([])
    how.accept?.(existing && this.#node(path, existing))
    if (how.makesFolders) await this.mkdir(parentPath(path))
    this.#get(parentPath(path))
    if (existing && !existing.bytes) throw new Fault('isDirectory', 'a folder')
    if (existing && !how.overwrite) throw new Fault('conflict', 'taken')
    const item = { bytes, modifiedMs: how.modifiedMs ?? Date.now(), version: nextVersion() }
    this.#items.set(joinPath(this.#top, path), item)
    return this.#node(path, item)
  }

  async mkdir(path: TreePath, { accept, record }: MakeFolderOptions = {}): Promise<void> {
    const at = joinPath(this.#top, path)
    if (!this.#items.has(at)) await record?.([])
    if (!this.#items.has(at)) accept?.()
    if (path !== ROOT) await this.mkdir(parentPath(path))
    if (this.#items.get(at)?.bytes) throw new Fault('notDirectory', 'a file is in the way')
    if (!this.#items.has(at)) this.#items.set(at, folder())
  }

  async remove(path: TreePath, { accept, record }: RemoveOptions = {}): Promise<TreePath> {
    this.#get(path)
    await record?.([])
    accept?.()
    for (const at of this.#below(path)) this.#items.delete(at)
    return path
  }

  async move(from: TreePath, to: TreePath, how: TransferOptions): Promise<Moved> {
    await this.copy(from, to, how)
    await this.remove(from)
    return { from, to }
  }

  async copy(from: TreePath, to: TreePath, how: TransferOptions): Promise<void> {
    const [source, target] = [this.#get(from), this.#items.get(joinPath(this.#top, to))]
    this.#get(parentPath(to))
    await how.record?.([])
    how.accept?.(target !== undefined)
    if (target && !how.overwrite) throw new Fault('conflict', 'taken')
    if (target && !source.bytes && target.bytes) throw new Fault('notDirectory', 'a file')
    if (target && source.bytes && !target.bytes) throw new Fault('isDirectory', 'a folder')
    const [top, end] = [joinPath(this.#top, from), joinPath(this.#top, to)]
    for (const at of this.#below(from)) {
      const item = this.#items.get(at)
      if (item)
        this.#items.set(joinPath(end, relativePath(at, top)), { ...item, version: nextVersion() })
    }
  }

  async usage(path: TreePath) {
    this.#get(path)
    const used = [...this.#items.values()].reduce((sum, item) => sum + (item.bytes?.length ?? 0), 0)
    return { total: 2 ** 30, used, free: 2 ** 30 - used }
  }

  async requireRoom() {}

  within(path: TreePath): Storage {
    return new MemoryStorage(this.#items, joinPath(this.#top, path))
  }

  #get(path: TreePath): Item {
    const item = this.#items.get(joinPath(this.#top, path))
    if (!item) throw new Fault('notFound', 'nothing here')
    return item
  }

  #below(path: TreePath): TreePath[] {
    return [...this.#items.keys()].filter((at) => isInside(at, joinPath(this.#top, path)))
  }

  #node(path: TreePath, { bytes, modifiedMs, version }: Item): Node {
    return {
      path,
      real: path,
      kind: bytes ? 'file' : 'folder',
      isLink: false,
      sizeBytes: bytes?.length ?? 0,
      modifiedMs,
      mode: bytes ? 0o640 : 0o750,
      version: String(version),
      identity: path,
      foldsCase: false,
    }
  }
}

let version = 0

function nextVersion(): number {
  version += 1
  return version
}

function folder(): Item {
  return { bytes: undefined, modifiedMs: Date.now(), version: nextVersion() }
}
