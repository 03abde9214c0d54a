/** The storage of a folder on a local disk. Each operation works on handles in a confined folder. */

import { errnoOf } from '#server/os/errno.ts'
import type { FolderNodes } from '#server/storage/folder-nodes.ts'
import type { NameIndex } from '#server/storage/names.ts'
import type { ByteRange, Node, Opened, Source } from '#server/storage/node.ts'
import type { ChangeOptions } from '#server/storage/step.ts'
import type {
  Capabilities,
  CommandFolder,
  MakeFolderOptions,
  Moved,
  RemoveOptions,
  Storage,
  TransferOptions,
  WithinOptions,
  WriteOptions,
} from '#server/storage/storage.ts'
import type { Usage } from '#wire/api/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { Changes } from './changes/changes.ts'
import { requireParent } from './changes/folder-mark.ts'
import { ConfinedFolder, type Guards, type InnerFolder } from './confine/confined-folder.ts'
import { madeFolderSlot, notifyingIndex } from './confine/index-notice.ts'
import { REFUSE_LINKS } from './confine/real-path.ts'
import { withFaults } from './handles/faults.ts'
import type { Handle, HandleAddress } from './handles/handle.ts'
import { clampRange, OpenFile } from './handles/open-file.ts'
import { FOLLOW_LINKS, type OpenSlot, READ_FLAGS } from './handles/resolve.ts'
import { isDeeper, refuseTooDeepIn } from './handles/tree-depth.ts'
import { copiesOn, copyInside, isSameVolume, removeCopyFrom } from './operations/copy.ts'
import { requireRoomAt, usageAt } from './operations/disk-room.ts'
import type { LocalListOptions } from './operations/folder-contents.ts'
import { LocalFolder } from './operations/local-folder.ts'
import { hasFolder, type MakeFolderDeps, makeFolders } from './operations/mkdir.ts'
import { folderSharingOf } from './operations/processes.ts'
import { removeSlot } from './operations/remove.ts'
import {
  closeServedFolder,
  type LocalOptions,
  openServedFolder,
  type ServedFolder,
} from './operations/served-folder.ts'
import { snapshotsIn } from './operations/snapshots.ts'
import { type TrashDeps, trashStoreOf } from './operations/trash-store.ts'
import { watchFolder } from './operations/watch.ts'
import type { OpenFolder } from './read/folder-records.ts'

export class LocalStorage implements Storage {
  readonly #served: ServedFolder
  /** The confined folders from the served root inwards; each is opened inside the previous one. */
  readonly #folders: readonly InnerFolder[]
  readonly #view: Pick<Guards, 'checkPath' | 'resolver'>
  #can: Capabilities | undefined

  private constructor(
    served: ServedFolder,
    folders: readonly InnerFolder[],
    view: Pick<Guards, 'checkPath' | 'resolver'>,
  ) {
    this.#served = served
    this.#folders = folders
    this.#view = view
  }

  /** Built on first use, since most storages are made for one request that only reads or lists. */
  get can(): Capabilities {
    this.#can ??= this.#capabilities()
    return this.#can
  }

  /**
   * Opens the storage of the folder at `path` on the disk.
   * @throws Fault notFound, notDirectory, forbidden, conflict and noSpace (of `Volumes.open`)
   */
  static open(path: string, options: LocalOptions): Promise<LocalStorage> {
    const view = { checkPath: undefined, resolver: FOLLOW_LINKS }
    return withFaults(async () => new LocalStorage(await openServedFolder(path, options), [], view))
  }

  /** A folder on the tree's file system for unfinished uploads. */
  get uploadsFolder(): string {
    this.#mustWrite()
    return this.#served.volumes.uploads?.diskText ?? ''
  }

  /** The served root, for other threads; open as long as the storage. */
  get root(): HandleAddress {
    return this.#served.root.address
  }

  /** Uses an index of names from now on, and notifies it of every change. */
  attachIndex(index: NameIndex): void {
    this.#served.index = index
  }

  /** The open folder, for the threads of other file systems. */
  get served(): ServedFolder {
    return this.#served
  }

  /** In the thread of another file system: removes what ended processes have left there. @throws Fault */
  clearRecorded(): Promise<void> {
    const { volumes, disks, options } = this.#served
    const isMine = (path: TreePath) => disks.mounts.holding(path)?.device === options.device?.id
    return withFaults(() => volumes.clearRecorded(isMine))
  }

  within(path: TreePath, options: WithinOptions = {}): LocalStorage {
    const { checkPath = this.#view.checkPath, followsLinks, isExact = false } = options
    const resolver = followsLinks === false ? REFUSE_LINKS : this.#view.resolver
    const isSame = checkPath === this.#view.checkPath && resolver === this.#view.resolver
    if (path === ROOT && isSame) return this
    const folders = path === ROOT ? this.#folders : [...this.#folders, { path, isExact }]
    return new LocalStorage(this.#served, folders, { checkPath, resolver })
  }

  close(): void {
    closeServedFolder(this.#served)
  }

  stat(path: TreePath): Promise<Node> {
    return withFaults(() => {
      using confined = this.#confined()
      return confined.node(path)
    })
  }

  async find(path: TreePath): Promise<Node | undefined> {
    try {
      return await withFaults(() => {
        using confined = this.#confined()
        return confined.find(path)
      })
    } catch (error) {
      if (isFault(error, 'notFound')) return undefined
      throw error
    }
  }

  openFolder(path: TreePath): Promise<LocalFolder> {
    return withFaults(() => LocalFolder.open(this.#confined(), path, this.#served))
  }

  async list(path: TreePath, options?: LocalListOptions): Promise<FolderNodes> {
    using folder = await this.openFolder(path)
    return await folder.list(options)
  }

  read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    return withFaults(() => {
      using confined = this.#confined()
      const { object, node } = confined.openNode(path)
      using _ = object
      if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
      if (node.kind !== 'file') throw new Fault('unsupported', 'This is not a regular file.')
      const clamped = clampRange(range?.(node), node.sizeBytes)
      return new OpenFile(object.reopen(READ_FLAGS), node, clamped)
    })
  }

  write(path: TreePath, from: Source, options: WriteOptions): Promise<Node> {
    return withFaults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      const changes = this.#changes(confined, options)
      using slot = options.makesFolders
        ? await this.#slotInFolder(confined, path, {
            changes,
            accept: () => options.accept?.(undefined),
          })
        : confined.slotToWrite(path)
      using _ = this.#notifiesIndex(() => [slot])
      return await this.#served.writer.write(slot, path, from, { options, changes })
    })
  }

  mkdir(path: TreePath, options: MakeFolderOptions = {}): Promise<void> {
    return withFaults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      if (hasFolder(confined, path)) return
      const { accept } = options
      await this.#makeFolders(confined, path, { changes: this.#changes(confined, options), accept })
    })
  }

  remove(path: TreePath, options: RemoveOptions = {}): Promise<TreePath> {
    return withFaults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using slot = confined.slotToVacate(path)
      requireParent(slot, options.expectParent)
      using _ = this.#notifiesIndex(() => [slot])
      const real = confined.realOf(slot)
      await removeSlot(slot, this.#served.volumes, this.#changes(confined, options), options)
      return real
    })
  }

  move(from: TreePath, to: TreePath, options: TransferOptions): Promise<Moved> {
    return withFaults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using source = confined.slotToVacate(from)
      using target = confined.slot(to)
      requireParent(source, options.expectParent)
      requireParent(target, options.expectTargetParent)
      using _ = this.#notifiesIndex(() => [source, target])
      const moved = { from: confined.realOf(source), to: confined.realOf(target) }
      if (isDeeper(moved.from, moved.to)) await refuseTooDeepIn(source, moved.to)
      const pathOf = (file: Handle) => confined.pathOf(file)
      await this.#served.mover.move(source, target, {
        ...options,
        resume: options.resumable && { resumable: options.resumable, pathOf },
        changes: this.#changes(confined, options),
      })
      return moved
    })
  }

  copy(from: TreePath, to: TreePath, options: TransferOptions): Promise<void> {
    return withFaults(async () => {
      this.#mustWrite()
      using confined = this.#confined()
      using _ = this.#notifiesIndex(() => madeFolderSlot(confined, to))
      if (isDeeper(from, to)) {
        using source = confined.slot(from)
        await refuseTooDeepIn(source, to)
      }
      const changes = this.#changes(confined, options)
      await copyInside({ from, to, options }, { ...this.#served, confined, changes })
    })
  }

  usage(path: TreePath, userId?: number): Promise<Usage> {
    return withFaults(() => usageAt(this.#confined(), path, userId, this.#served))
  }

  /**
   * Opens a folder for a command.
   *
   * @param silent mount points below the served root that must not be touched
   * @throws Fault as `openFolder`; forbidden (files of the server are directly in it)
   */
  openForCommand(path: TreePath, silent: readonly TreePath[] = []): Promise<CommandFolder> {
    return this.#inFolder(path, (folder, around) => around.openForCommand(folder, silent))
  }

  requireRoom(path: TreePath, bytes: number, userId?: number): Promise<void> {
    return withFaults(() => requireRoomAt(this.#confined(), path, { bytes, userId }, this.#served))
  }

  /** As `slotToWrite`; missing folders above the path are created. */
  async #slotInFolder(
    confined: ConfinedFolder,
    path: TreePath,
    making: Pick<MakeFolderDeps, 'changes' | 'accept'>,
  ): Promise<OpenSlot> {
    try {
      return confined.slotToWrite(path)
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    }
    await this.#makeFolders(confined, parentPath(path), making)
    return confined.slotToWrite(path)
  }

  async #makeFolders(
    confined: ConfinedFolder,
    path: TreePath,
    making: Pick<MakeFolderDeps, 'changes' | 'accept'>,
  ): Promise<void> {
    using _ = this.#notifiesIndex(() => madeFolderSlot(confined, path))
    const { volumes, options } = this.#served
    await makeFolders(path, { confined, volumes, mode: options.folderMode, ...making })
  }

  /** @throws Fault readOnly */
  #mustWrite(): void {
    if (this.#served.volumes.uploads) return
    throw new Fault('readOnly', 'This folder can only be read.')
  }

  #capabilities(): Capabilities {
    const served = this.#served
    const { trashes } = served.volumes
    const confined = () => this.#confined()
    return {
      links: true,
      write: !!served.volumes.uploads,
      foldsCase: served.folds.atRoot,
      openForCommand: (path) => this.openForCommand(path),
      watch: (path, changed) =>
        this.#inFolder(path, ({ handle }) => watchFolder(handle.disk, changed)),
      copies: () => withFaults(() => copiesOn(served)),
      isSameVolume: (from, to) => withFaults(() => isSameVolume(confined(), from, to)),
      removeCopy: (name, to) =>
        withFaults(() => removeCopyFrom(confined(), served.volumes, { name, to })),
      snapshots: snapshotsIn(confined),
      ...(trashes && { trash: trashStoreOf(trashes, this.#trashDeps()) }),
      ...(trashes && { sharing: folderSharingOf(served.volumes) }),
    }
  }

  /** Calls `act` with an open folder, and closes it. */
  #inFolder<T>(
    path: TreePath,
    act: (folder: OpenFolder, confined: ConfinedFolder) => T,
  ): Promise<T> {
    return withFaults<T>(() => {
      using confined = this.#confined()
      using folder = confined.openFolder(path)
      return act(folder, confined)
    })
  }

  #trashDeps(): TrashDeps {
    return {
      confined: () => this.#confined(),
      changes: (confined, options) => this.#changes(confined, options),
      mover: this.#served.mover,
      mounts: this.#served.disks.mounts,
      notifiesIndex: (slot) => this.#notifiesIndex(() => [slot]),
    }
  }

  /** Notifies the index of the changed slots when the result is disposed of. */
  #notifiesIndex(slots: () => readonly Pick<OpenSlot, 'pathWhenChecked' | 'name'>[]): Disposable {
    return notifyingIndex(this.#served, slots)
  }

  #changes(confined: ConfinedFolder, options: ChangeOptions): Changes {
    return new Changes(this.#served.volumes.trashes, (slot) => confined.nameOf(slot), options)
  }

  #confined(): ConfinedFolder {
    const { root, serverFiles, folds, aliases, rootPath } = this.#served
    const guards = { rootPath, serverFiles, folds, aliases, ...this.#view }
    return ConfinedFolder.open(root, this.#folders, guards)
  }
}
