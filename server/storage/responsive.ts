/**
 * The storage of a local folder with other file systems mounted below it, of which one may not answer. What reads on them
 * is done by their own threads. What changes them begins when they have answered there.
 */
import type { Usage } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { DeviceView, type View } from './device-view.ts'
import type { FileStarts, StartOptions } from './file-starts.ts'
import type { OtherNodes } from './folder-contents.ts'
import type { FolderNodes, ListOptions } from './folder-nodes.ts'
import type { LocalStorage } from './local.ts'
import type { NameIndex } from './names.ts'
import type { ByteRange, Node, Opened, Source } from './node.ts'
import type { DiskState, OtherDisks } from './other-disks.ts'
import { responsiveCapabilities } from './responsive-capabilities.ts'
import type { ChangeOptions } from './step.ts'
import type {
  Capabilities,
  Moved,
  RemoveOptions,
  Storage,
  TransferOptions,
  WithinOptions,
  WriteOptions,
} from './storage.ts'

/** How long a listing waits for what a link to another file system leads to. */
const LISTING_WAIT_MS = 1000

export class ResponsiveStorage implements Storage {
  readonly #inner: LocalStorage
  readonly #disks: OtherDisks
  readonly #view: View
  /** The path of this tree below the served root, if it contains no link. */
  readonly #path: string
  #can: Capabilities | undefined

  private constructor(inner: LocalStorage, disks: OtherDisks, view: View, path: string) {
    this.#inner = inner
    this.#disks = disks
    this.#view = view
    this.#path = path
  }

  /** @param inner closed by `close` of the result */
  static of(inner: LocalStorage): ResponsiveStorage {
    const view = { folders: [], checkPath: undefined, followsLinks: true }
    return new ResponsiveStorage(inner, inner.disks, view, '')
  }

  get can(): Capabilities {
    this.#can ??= responsiveCapabilities(this.#inner.can, (...paths) => this.#answer(paths))
    return this.#can
  }

  /** As in `LocalStorage`. */
  get uploadsFolder(): string {
    return this.#inner.uploadsFolder
  }

  /** As in `LocalStorage`. */
  get root(): number {
    return this.#inner.root
  }

  /** As in `LocalStorage`. */
  attachIndex(index: NameIndex): void {
    this.#inner.attachIndex(index)
  }

  close(): void {
    this.#inner.close()
  }

  /** The file systems of the tree. */
  states(): DiskState[] {
    return this.#disks.states()
  }

  within(path: TreePath, options: WithinOptions = {}): Storage {
    const { checkPath = this.#view.checkPath, followsLinks, isExact = false } = options
    const inner = this.#inner.within(path, options)
    if (inner === this.#inner) return this
    const folders = path === ROOT ? this.#view.folders : [...this.#view.folders, { path, isExact }]
    const view = { folders, checkPath, followsLinks: followsLinks ?? this.#view.followsLinks }
    return new ResponsiveStorage(inner, this.#disks, view, this.#path + (path === ROOT ? '' : path))
  }

  stat(path: TreePath): Promise<Node> {
    return this.#elsewhere(path)?.stat(path) ?? this.#disks.timed(() => this.#inner.stat(path))
  }

  list(path: TreePath, options: ListOptions = {}): Promise<FolderNodes> {
    const elsewhere = this.#elsewhere(path)
    if (elsewhere) return elsewhere.list(path, options, this.#disks.mounts.namesIn(this.#of(path)))
    const { mounts } = this.#disks
    const others = mounts.all.length > 0 ? this.#others() : undefined
    return this.#disks.timed(() => this.#inner.list(path, { ...options, others }))
  }

  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    const elsewhere = this.#elsewhere(path)
    return elsewhere?.read(path, range) ?? this.#disks.timed(() => this.#inner.read(path, range))
  }

  readStarts(path: TreePath, files: readonly Node[], options: StartOptions): Promise<FileStarts> {
    const elsewhere = this.#elsewhere(path)
    return (
      elsewhere?.readStarts(path, files, options) ?? this.#inner.readStarts(path, files, options)
    )
  }

  write(path: TreePath, from: Source, options: WriteOptions): Promise<Node> {
    return this.#after([path], () => this.#inner.write(path, from, options))
  }

  mkdir(path: TreePath, options?: ChangeOptions): Promise<void> {
    return this.#after([path], () => this.#inner.mkdir(path, options))
  }

  remove(path: TreePath, options?: RemoveOptions): Promise<TreePath> {
    return this.#afterAll([path], () => this.#inner.remove(path, options))
  }

  move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved> {
    return this.#afterAll([from, to], () => this.#inner.move(from, to, options))
  }

  copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void> {
    return this.#afterAll([from, to], () => this.#inner.copy(from, to, options))
  }

  usage(path: TreePath): Promise<Usage> {
    return this.#after([path], () => this.#inner.usage(path))
  }

  requireRoom(path: TreePath, bytes: number, userId?: number): Promise<void> {
    return this.#after([path], () => this.#inner.requireRoom(path, bytes, userId))
  }

  /** Calls `act` when the file systems of the paths have answered. */
  #after<T>(paths: readonly TreePath[], act: () => Promise<T>): Promise<T> {
    return this.#answer(paths)?.then(act) ?? this.#disks.timed(act)
  }

  /** As `#after`, also for the file systems below the paths. */
  #afterAll<T>(paths: readonly TreePath[], act: () => Promise<T>): Promise<T> {
    return this.#answer(paths, true)?.then(act) ?? this.#disks.timed(act)
  }

  #answer(paths: readonly TreePath[], isDeep = false): Promise<void> | undefined {
    return this.#disks.answer(
      paths.map((path) => this.#of(path)),
      isDeep,
    )
  }

  /** @returns what reads a path on another file system; undefined if the path stays on that of the root */
  #elsewhere(path: TreePath): DeviceView | undefined {
    const device = this.#disks.deviceOf(this.#of(path))
    return device === undefined ? undefined : this.#viewOf(device)
  }

  #viewOf(device: string): DeviceView {
    return new DeviceView(this.#disks.threads, device, this.#view)
  }

  /** For a listing on the root's file system: its mount points, and its links to other file systems. */
  #others(): OtherNodes {
    const { mounts, threads } = this.#disks
    return {
      namesIn: (folder) => mounts.namesInOpen(folder),
      nodeAt: (path) => {
        const device = mounts.crossedBy(this.#of(path))?.device
        if (device === undefined) return undefined
        // A listing waits for no file system that is slow.
        return threads.isSlow(device) ? Promise.resolve('silent') : this.#nodeIn(device, path)
      },
    }
  }

  async #nodeIn(device: string, path: TreePath): Promise<Node | 'refused' | 'silent'> {
    const silent = Promise.withResolvers<'silent'>()
    const timer = setTimeout(() => silent.resolve('silent'), LISTING_WAIT_MS)
    const node = this.#viewOf(device).stat(path)
    const settled = node.catch((error) =>
      isFault(error, 'unavailable') ? ('silent' as const) : ('refused' as const),
    )
    try {
      return await Promise.race([settled, silent.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #of(path: TreePath): TreePath {
    if (this.#path === '') return path
    return (path === ROOT ? this.#path : this.#path + path) as TreePath
  }
}
