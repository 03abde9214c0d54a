/**
 * The storage of a local folder with other file systems mounted below it, of which one may not answer. What reads or
 * changes them is done by their own threads.
 */

import type { FolderNodes, ListOptions } from '#server/storage/folder-nodes.ts'
import type { NameIndex } from '#server/storage/names.ts'
import type { ByteRange, Node, Opened, Source } from '#server/storage/node.ts'
import type { ChangeOptions } from '#server/storage/step.ts'
import type {
  Capabilities,
  Moved,
  RemoveOptions,
  Storage,
  TransferOptions,
  WithinOptions,
  WriteOptions,
} from '#server/storage/storage.ts'
import type { StorageFolder } from '#server/storage/storage-folder.ts'
import type { Usage } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { type DiskState, LeadsToOtherDisk, type OtherDisks } from '../devices/other-disks.ts'
import type { HandleAddress } from '../handles/handle.ts'
import type { LocalStorage } from '../local-storage.ts'
import type { OtherNodes } from '../operations/folder-contents.ts'
import type { ChangeThread } from './change-thread.ts'
import { ChangeThreads } from './change-threads.ts'
import { DeviceFolder } from './device-folder.ts'
import { DeviceView, type View } from './device-view.ts'
import { responsiveCapabilities } from './responsive-capabilities.ts'
import { ResponsiveFolder } from './responsive-folder.ts'

/** How long a listing waits for what a link to another file system leads to. */
const LISTING_WAIT_MS = 1000

export class ResponsiveStorage implements Storage {
  readonly #inner: LocalStorage
  readonly #disks: OtherDisks
  readonly #changes: ChangeThreads
  readonly #view: View
  /** The path of this tree below the served root, if it contains no link. */
  readonly #path: string
  #can: Capabilities | undefined

  private constructor(inner: LocalStorage, changes: ChangeThreads, view: View, path: string) {
    this.#inner = inner
    this.#changes = changes
    this.#disks = inner.served.disks
    this.#view = view
    this.#path = path
  }

  /** @param inner closed by `close` of the result */
  static of(inner: LocalStorage): ResponsiveStorage {
    const view = { folders: [], checkPath: undefined, followsLinks: true }
    return new ResponsiveStorage(inner, new ChangeThreads(inner.served), view, '')
  }

  get can(): Capabilities {
    this.#can ??= responsiveCapabilities(this.#inner, {
      rootAnswers: () => this.rootAnswers(),
      answer: (...treePaths) => this.#disks.answer(treePaths),
      threadFor: (...paths) => this.#threadFor(paths),
      trashes: this.#inner.served.volumes.trashes,
      disks: this.#disks,
      changes: this.#changes,
      view: this.#view,
      path: this.#of(ROOT),
    })
    return this.#can
  }

  /** As in `LocalStorage`. */
  get uploadsFolder(): string {
    return this.#inner.uploadsFolder
  }

  /** As in `LocalStorage`. */
  get root(): HandleAddress {
    return this.#inner.root
  }

  /** As in `LocalStorage`. */
  attachIndex(index: NameIndex): void {
    this.#inner.attachIndex(index)
  }

  close(): void {
    this.#changes.close()
    this.#inner.close()
  }

  /** The file systems of the tree. */
  states(): DiskState[] {
    return this.#disks.states(this.#changes)
  }

  /**
   * Whether the other file systems respond within some time, and no thread waits for one.
   */
  async disksRespond(ms: number): Promise<boolean> {
    const paths = this.#disks.mounts.all.map(({ path }) => path)
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), ms)
    try {
      const answered = await Promise.race([this.#disks.answer(paths), late.promise])
      return answered !== 'late' && this.states().every(({ state }) => state !== 'silent')
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** Waits until the root has answered, if it may not answer. @throws Fault unavailable */
  async rootAnswers(): Promise<void> {
    await this.#disks.answer([ROOT])
  }

  /** Restores and removes what ended processes have left on other file systems. A failure is retried at the next call. */
  async clearOtherDisks(): Promise<void> {
    if (!(await this.#disks.mayTouchRoot())) return
    const { recorded } = this.#inner.served.volumes
    const devices = this.#disks.devicesOf(recorded).map(([device]) => device)
    await Promise.all(devices.map((device) => this.#changes.of(device).clear(this.#view)))
  }

  /** @param awake called when a file system answers again, and all that was refused there has ended */
  listen(awake: () => void): void {
    this.#changes.onAwake = awake
  }

  within(path: TreePath, options: WithinOptions = {}): Storage {
    const { checkPath = this.#view.checkPath, followsLinks, isExact = false } = options
    const inner = this.#inner.within(path, options)
    if (inner === this.#inner) return this
    const folders = path === ROOT ? this.#view.folders : [...this.#view.folders, { path, isExact }]
    const view = { folders, checkPath, followsLinks: followsLinks ?? this.#view.followsLinks }
    return new ResponsiveStorage(
      inner,
      this.#changes,
      view,
      this.#path + (path === ROOT ? '' : path),
    )
  }

  async stat(path: TreePath): Promise<Node> {
    return (
      this.#elsewhere(path)?.stat(path) ?? (await this.#disks.timed(() => this.#inner.stat(path)))
    )
  }

  async find(path: TreePath): Promise<Node | undefined> {
    const elsewhere = this.#elsewhere(path)
    if (!elsewhere) return this.#disks.timed(() => this.#inner.find(path))
    try {
      return await elsewhere.stat(path)
    } catch (error) {
      if (isFault(error, 'notFound')) return undefined
      throw error
    }
  }

  async openFolder(path: TreePath): Promise<StorageFolder> {
    const { mounts } = this.#disks
    const view = this.#elsewhere(path)
    if (view) {
      const { index } = this.#inner.served
      return DeviceFolder.open(path, { view, index, mounts: mounts.namesIn(this.#of(path)) })
    }
    const folder = await this.#disks.timed(() => this.#inner.openFolder(path))
    const others = this.#disks.hasOthers ? this.#others() : undefined
    return new ResponsiveFolder(folder, this.#disks, others)
  }

  async list(path: TreePath, options: ListOptions = {}): Promise<FolderNodes> {
    const elsewhere = this.#elsewhere(path)
    if (elsewhere) return elsewhere.list(path, options, this.#disks.mounts.namesIn(this.#of(path)))
    using folder = await this.openFolder(path)
    return await folder.list(options)
  }

  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    const elsewhere = this.#elsewhere(path)
    return (
      elsewhere?.read(path, range) ?? (await this.#disks.timed(() => this.#inner.read(path, range)))
    )
  }

  async write(path: TreePath, from: Source, options: WriteOptions): Promise<Node> {
    const thread = await this.#threadFor([path])
    return thread
      ? thread.run(this.#view, 'write', path, from, options)
      : await this.#disks.timed(() => this.#inner.write(path, from, options))
  }

  async mkdir(path: TreePath, options?: ChangeOptions): Promise<void> {
    const thread = await this.#threadFor([path])
    return thread
      ? thread.run(this.#view, 'mkdir', path, options)
      : await this.#disks.timed(() => this.#inner.mkdir(path, options))
  }

  async remove(path: TreePath, options?: RemoveOptions): Promise<TreePath> {
    const thread = await this.#threadFor([path], true)
    return thread
      ? thread.run(this.#view, 'remove', path, options)
      : await this.#disks.timed(() => this.#inner.remove(path, options))
  }

  async move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved> {
    const thread = await this.#threadFor([to, from], true)
    return thread
      ? thread.run(this.#view, 'move', from, to, options)
      : await this.#disks.timed(() => this.#inner.move(from, to, options))
  }

  async copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void> {
    const thread = await this.#threadFor([to, from], true)
    if (thread) return thread.run(this.#view, 'copy', from, to, options)
    const reported = onceEach(options)
    try {
      await this.#disks.timed(() => this.#inner.copy(from, to, reported))
    } catch (error) {
      const device = otherDiskOf(error)
      if (device === undefined) throw error
      // A link inside leads to another file system, so the thread of that one begins again.
      await this.#changes.of(device).run(this.#view, 'copy', from, to, reported)
    }
  }

  async usage(path: TreePath, userId?: number): Promise<Usage> {
    const thread = await this.#threadFor([path])
    return thread
      ? thread.run(this.#view, 'usage', path, userId)
      : await this.#disks.timed(() => this.#inner.usage(path, userId))
  }

  async requireRoom(path: TreePath, bytes: number, userId?: number): Promise<void> {
    const thread = await this.#threadFor([path])
    return thread
      ? thread.run(this.#view, 'requireRoom', path, bytes, userId)
      : await this.#disks.timed(() => this.#inner.requireRoom(path, bytes, userId))
  }

  /**
   * @param paths of an operation; the thread is that of the first one that is on another file system
   * @param isDeep whether the operation touches all that is below the paths
   * @returns undefined if the operation stays on the file system of the root
   * @throws Fault unavailable if a further file system that it touches does not answer
   */
  async #threadFor(paths: readonly TreePath[], isDeep = false): Promise<ChangeThread | undefined> {
    const devices = this.#disks.devicesOf(
      paths.map((path) => this.#of(path)),
      isDeep,
    )
    const [first, ...others] = devices
    if (!first) return undefined
    if (others.length > 0) await this.#answer(paths, isDeep)
    return this.#changes.of(first[0])
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

/** @returns the options of a copy that may begin again, so that it reports only once what it leaves out */
function onceEach({ leftOut, ...options }: TransferOptions): TransferOptions {
  if (!leftOut) return options
  const paths = new Set<TreePath>()
  return {
    ...options,
    leftOut(path, reason) {
      if (!paths.has(path)) leftOut(path, reason)
      paths.add(path)
    },
  }
}

/** @returns the file system to which a link inside has led */
function otherDiskOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof LeadsToOtherDisk ? cause.device : undefined
}
