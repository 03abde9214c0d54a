/**
 * File systems below the served root. A mount, a bind mount or a subvolume is a separate volume; nothing can be renamed
 * from one volume to another. While the server changes files on one, it has a private folder there, so that the storage
 * gives the same guarantees on all volumes (docs/protections.md, "Mounted file systems below the root").
 */

import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { isPrivateName } from '#wire/reserved-names.ts'
import { isFull } from '../attributes/own-folder.ts'
import type { Slot } from '../handles/atomic.ts'
import { type Handle, rootPathOf } from '../handles/handle.ts'
import {
  isAtOrBelow,
  requireMountedOnce,
  type VolumeId,
  volumeOf,
  withVolumeAbove,
} from '../mounts/mounts.ts'
import type { Aside } from '../private/aside.ts'
import { type Doomed, doomInFolder, moveAsideInFolder } from '../private/beside.ts'
import { PrivateFolder } from '../private/private-folder.ts'
import { Processes, type ProcessOptions } from '../private/processes.ts'
import { type RootVolume, rootVolumeOf } from '../private/root-volume.ts'
import type { Records } from '../private/volume-records.ts'
import { type Admitted, DiskReserve, type Reserve } from '../room/disk-reserve.ts'
import { TrashFolders } from '../trash/trash-folders.ts'
import { newUse, type VolumeUse } from './volume-use.ts'

/** `#cleared` is emptied at this size, so that it stays small; clearing a folder again does no harm. */
const CLEARED_MAX = 1000

export interface VolumeOptions {
  reserve?: Reserve | undefined
  /** Whether this thread clears what was left at a path below the root; by default, all. */
  isMine?: (path: TreePath) => boolean
  /** As in `ProcessOptions`. */
  mayTouch?: ProcessOptions['mayTouch'] | undefined
  /** The name of this process's folder, if another thread of it has opened the root. */
  joined?: string | undefined
  /** As in `ProcessOptions`. */
  recovered?: ProcessOptions['recovered'] | undefined
}

interface Used {
  folder: PrivateFolder
  users: number
  /** Resolves when the leftovers of earlier processes there are removed. */
  ready: Promise<void>
}

export class Volumes {
  readonly flushes: FlushQueue
  readonly processes: Processes
  readonly #root: Handle
  readonly #rootPath: () => string
  readonly #rootId: VolumeId
  readonly #rootVolume: RootVolume | undefined
  /** The trash; undefined if the tree is read-only. */
  readonly trashes: TrashFolders | undefined
  /** Key: the real path of a folder below the root; value: its private folder, which is in use. */
  readonly #used = new Map<string, Used>()
  /** Volume and path of folders in which this process has begun to remove the leftovers of ended processes. */
  readonly #cleared = new Set<string>()
  /** What new content leaves free. */
  readonly #reserve: Reserve | undefined
  /** Key: `dev` of a file system. */
  readonly #admitted = new Map<number, Admitted>()

  private constructor(
    root: Handle,
    flushes: FlushQueue,
    rootVolume: RootVolume | undefined,
    { reserve, processes }: VolumeOptions & { processes: Processes },
  ) {
    this.processes = processes
    this.#root = root
    this.#reserve = reserve
    this.#rootPath = rootPathOf(root)
    this.flushes = flushes
    this.#rootId = volumeOf(root)
    this.#rootVolume = rootVolume
    this.trashes =
      rootVolume &&
      new TrashFolders({ root, home: rootVolume.folder }, flushes, (folder) =>
        this.doomedFor(folder),
      )
  }

  /**
   * Opens the private folder of the served root, and removes what ended processes left. The caller closes the root.
   *
   * @throws Fault conflict (a file has the name of the private folder), noSpace (it cannot be created)
   */
  static async open(
    root: Handle,
    flushes: FlushQueue,
    { reserve, isMine = () => true, mayTouch, joined, recovered }: VolumeOptions = {},
  ): Promise<Volumes> {
    const processes = new Processes({
      ...(mayTouch && { mayTouch }),
      ...(recovered && { recovered }),
    })
    const rootVolume = rootVolumeOf(root, processes, joined)
    if (rootVolume && joined === undefined) await rootVolume.folder.clear(rootVolume.uploads)
    const volumes = new Volumes(root, flushes, rootVolume, { reserve, processes })
    if (joined === undefined) await volumes.clearRecorded(isMine)
    return volumes
  }

  /** Paths below the root where something may have been left. */
  get recorded(): TreePath[] {
    return this.#rootVolume?.records.paths() ?? []
  }

  /** Restores and removes what earlier processes left on other file systems, as `Records.clear`. */
  async clearRecorded(isMine: (path: TreePath) => boolean): Promise<void> {
    await this.#rootVolume?.records.clear(this.#rootVolume.uploads, isMine)
  }

  /** @returns the reserve on the file system of a folder, which the caller keeps open */
  reserveOn(folder: Handle): DiskReserve {
    const admitted = this.#admitted.get(folder.dev) ?? { bytes: 0, untilMs: 0 }
    this.#admitted.set(folder.dev, admitted)
    return new DiskReserve(folder, this.#reserve, admitted)
  }

  /** The private folder of the root. @throws Fault readOnly */
  get home(): PrivateFolder {
    if (this.#rootVolume) return this.#rootVolume.folder
    throw new Fault('readOnly', 'This folder can only be read.')
  }

  /** The folder of unfinished uploads; undefined if the tree is read-only. */
  get uploads(): Handle | undefined {
    return this.#rootVolume?.uploads
  }

  /**
   * Provides the private folder for entries that are renamed into or out of `folder`.
   *
   * @throws Fault readOnly (the root, or `folder` and those above it on its volume, cannot be written); ENOSPC, EDQUOT
   */
  async use(folder: Handle): Promise<VolumeUse> {
    if (!this.#rootVolume) throw new Fault('readOnly', 'This folder can only be read.')
    if (volumeOf(folder) === this.#rootId) return newUse(this.#rootVolume.folder, () => undefined)
    const parents = withVolumeAbove(folder)
    try {
      for (const parent of parents) {
        const volume = await this.#open(parent, this.#rootVolume)
        if (volume) return volume
      }
    } finally {
      for (const parent of parents) parent.close()
    }
    throw new Fault('readOnly', 'This folder can only be read.')
  }

  /**
   * Provides a name for an entry that is removed: in the private folder or, if the file system is full, in `folder`
   * itself.
   *
   * @throws as `use`, except for lack of room
   */
  async doomedFor(folder: Handle): Promise<Doomed> {
    return this.#withSpace(
      folder,
      (privateFolder, dispose) => ({ ...privateFolder.doomed(), [Symbol.dispose]: dispose }),
      (records) => doomInFolder(folder, records),
    )
  }

  /**
   * Hides an entry in the private folder or, if the file system is full, under a reserved name in its own folder. After
   * a crash it is restored.
   *
   * @param check throws if nothing may be removed from the slot any more; called right before the entry is hidden
   * @throws as `use`, and what `check` throws
   */
  async setAside(slot: Slot, check: () => void): Promise<Aside> {
    return this.#withSpace(
      slot.parent,
      (privateFolder, dispose) => {
        check()
        const hidden = privateFolder.setAside(slot)
        const disposeHidden = hidden[Symbol.dispose]
        return {
          ...hidden,
          [Symbol.dispose]() {
            disposeHidden()
            dispose()
          },
        }
      },
      (records) => {
        check()
        return moveAsideInFolder(slot, records)
      },
    )
  }

  /**
   * Refuses a folder that the server removed or hid after it was opened, because changes in it would be lost. Also
   * refuses a folder that was moved after the check of access.
   *
   * @param pathWhenChecked the real path for which access was checked; undefined skips this comparison
   * @throws Fault notFound
   */
  requireVisible(folder: Handle, pathWhenChecked?: string): void {
    const path = folder.realPath()
    const isElsewhere = pathWhenChecked !== undefined && path !== pathWhenChecked
    if (isElsewhere || this.isHidden(folder, path)) {
      throw new Fault('notFound', 'The folder no longer exists.')
    }
  }

  /** @throws Fault locked (`requireMountedOnce`) */
  requireNotMounted(slot: Slot): void {
    requireMountedOnce(slot, this.#root.realPath())
  }

  /** Whether the server removed or hid an open object since, or it was moved out of the served root. */
  isHidden(object: Handle, path = pathOf(object)): boolean {
    if (path === undefined) return true
    // An object can be moved out of the bind mount through which it was opened; its path is then outside the root.
    const isBelow = isAtOrBelow(path, this.#rootPath()) || isAtOrBelow(path, this.#root.realPath())
    return !isBelow || path.split('/').some(isPrivateName)
  }

  close(): void {
    for (const { folder } of this.#used.values()) folder.close()
    this.trashes?.close()
    for (const opened of Object.values(this.#rootVolume ?? {}).toReversed()) opened.close()
  }

  /**
   * Calls `act` with the private folder for `folder`, or `otherwise` if the file system is full. `act` must put
   * `dispose`, which ends the use, into its result.
   */
  async #withSpace<T>(
    folder: Handle,
    act: (privateFolder: PrivateFolder, dispose: () => void) => T,
    otherwise: (records: Records) => T,
  ): Promise<T> {
    let use: VolumeUse | undefined
    try {
      use = await this.use(folder)
      return act(use.folder, use[Symbol.dispose])
    } catch (error) {
      use?.[Symbol.dispose]()
      if (!isFull(error) || !this.#rootVolume) throw error
      return otherwise(this.#rootVolume.records)
    }
  }

  /** Begins a use of the private folder in `parent`; undefined if `parent` is not writable. */
  async #open(parent: Handle, rootVolume: RootVolume): Promise<VolumeUse | undefined> {
    const path = parent.realPath()
    const used = this.#used.get(path) ?? this.#begin(parent, path, rootVolume)
    if (!used) return undefined
    used.users += 1
    const use = newUse(used.folder, () => {
      used.users -= 1
      if (used.users > 0) return
      this.#used.delete(path)
      used.folder.remove()
      rootVolume.records.forget(path)
    })
    try {
      await used.ready
      return use
    } catch (error) {
      use[Symbol.dispose]()
      throw error
    }
  }

  /** Opens the private folder in `parent`, which has no use yet; undefined if `parent` is not writable. */
  #begin(parent: Handle, path: string, rootVolume: RootVolume): Used | undefined {
    rootVolume.records.remember(path)
    let folder: PrivateFolder | undefined
    try {
      folder = PrivateFolder.openBelow(parent, this.processes)
    } finally {
      if (!folder) rootVolume.records.forget(path)
    }
    if (!folder) return undefined
    const used = {
      folder,
      users: 0,
      ready: this.#clear(folder, `${volumeOf(parent)} ${path}`, rootVolume),
    }
    this.#used.set(path, used)
    return used
  }

  /** Clears a private folder only once, since a new one is created for nearly each write. */
  async #clear(folder: PrivateFolder, volume: string, { uploads }: RootVolume): Promise<void> {
    if (this.#cleared.has(volume)) return
    if (this.#cleared.size >= CLEARED_MAX) this.#cleared.clear()
    this.#cleared.add(volume)
    await folder.clear(uploads)
  }
}

/** @returns undefined if the object is not any more where it was opened, and cannot be found elsewhere */
function pathOf(object: Handle): string | undefined {
  try {
    return object.realPath()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
