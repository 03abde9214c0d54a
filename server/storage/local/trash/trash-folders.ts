/**
 * The trash of a served tree: a folder in the private folder of its root, and one on each file system below the root
 * from which something was kept. The name of kept content says which folder it is in.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { ROOT_TRASH, type TrashId, trashOf } from '#server/storage/step.ts'
import type { Usage } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { readRecord } from '../attributes/own-folder.ts'
import { notMounted } from '../handles/faults.ts'
import type { Handle } from '../handles/handle.ts'
import { isAtOrBelow, type VolumeId, volumeOf, withVolumeAbove } from '../mounts/mounts.ts'
import { usageOf } from '../room/disk-usage.ts'
import { type DoomedFor, TrashFolder } from './trash-folder.ts'
import {
  MountedLocation,
  NOWHERE,
  RootLocation,
  type ServedRoot,
  TRASH_RECORDS,
} from './trash-location.ts'

const ID = /^[0-9a-f]{16}$/
/** Beyond this number of file systems below the root, nothing is kept on further ones. */
export const MOUNTED_TRASHES_MAX = 256

interface Mounted {
  location: MountedLocation
  folder: TrashFolder
}

export class TrashFolders {
  readonly #served: ServedRoot
  readonly #rootVolume: VolumeId
  readonly #flushes: FlushQueue
  readonly #doomedFor: DoomedFor
  readonly #rootLocation: RootLocation
  readonly #rootTrash: TrashFolder
  readonly #nowhere: TrashFolder
  readonly #mounted = new Map<TrashId, Mounted>()

  /** @param served closed by the caller */
  constructor(served: ServedRoot, flushes: FlushQueue, doomedFor: DoomedFor) {
    this.#served = served
    this.#rootVolume = volumeOf(served.root)
    this.#flushes = flushes
    this.#doomedFor = doomedFor
    this.#rootLocation = new RootLocation(served.home)
    this.#rootTrash = new TrashFolder(this.#rootLocation, flushes, doomedFor)
    this.#nowhere = new TrashFolder(NOWHERE, flushes, doomedFor)
    this.#readRecords()
  }

  /** Identifies this process among all that use this trash. */
  get writer(): string {
    return this.#served.home.ownName
  }

  /** The identity of the served folder, as `ensureIdentity`. */
  identity(isCopy: boolean): string | undefined {
    return this.#served.home.identity(isCopy)
  }

  /** Whether another process uses this trash now. */
  isShared(): boolean {
    return this.#served.home.isShared()
  }

  /** Whether the process whose `writer` this is has ended. */
  isGone(writer: string): boolean {
    return this.#served.home.isGone(writer)
  }

  /** @returns the trash for the content of a folder; undefined if content of its file system cannot be kept */
  of(folder: Handle): TrashFolder | undefined {
    const id = this.idOf(folder)
    if (id === ROOT_TRASH) return this.#rootTrash
    if (id !== undefined) return this.#mounted.get(id)?.folder
    const path = this.#mountOf(folder)
    if (path === undefined || this.#mounted.size >= MOUNTED_TRASHES_MAX) return undefined
    return this.#add(randomBytes(8).toString('hex'), path, false).folder
  }

  /**
   * @returns the id of the trash for the content of a folder; undefined if nothing was kept on its file system yet, and
   *   for a file that is a mount point
   */
  idOf(object: Handle): TrashId | undefined {
    if (volumeOf(object) === this.#rootVolume) return ROOT_TRASH
    if (!object.stat().isDirectory()) return undefined
    const mountPoint = this.#mountOf(object)
    if (mountPoint === undefined) return undefined
    for (const [id, { location }] of this.#mounted) {
      if (location.mountPoint === `/${mountPoint}` && location.isMounted) return id
    }
    return undefined
  }

  /**
   * @returns the trash folder of a trash name; an empty one if that folder is not known any more
   */
  named(name: string): TrashFolder {
    const id = trashOf(name)
    return this.folder(id) ?? (ID.test(id) ? this.#nowhere : this.#rootTrash)
  }

  /**
   * Whether the file system of a trash name is not mounted, so that it is unknown whether the content still exists. Another
   * one may be mounted at its place.
   */
  isAway(name: string): boolean {
    return this.#known(trashOf(name))?.location.isMounted === false
  }

  /** The mount point of a trash, as a path below the root; undefined for that of the root. */
  mountPointOf(trash: TrashId): TreePath | undefined {
    return this.#known(trash)?.location.mountPoint
  }

  /** @returns the trash folder with an id; undefined if it is not known */
  folder(trash: TrashId): TrashFolder | undefined {
    return trash === ROOT_TRASH ? this.#rootTrash : this.#known(trash)?.folder
  }

  /** The ids of all trash folders below the root, also of those that are not mounted. */
  ids(): TrashId[] {
    this.#readRecords()
    return this.knownIds()
  }

  /** As `ids`, without what another thread has added since the last call. */
  knownIds(): TrashId[] {
    return [...this.#mounted.keys()]
  }

  /** All trash folders that are mounted. */
  present(): { id: TrashId; folder: TrashFolder }[] {
    const mounted = [...this.#mounted].filter(([, { location }]) => location.isMounted)
    return [
      { id: ROOT_TRASH, folder: this.#rootTrash },
      ...mounted.map(([id, { folder }]) => ({ id, folder })),
    ]
  }

  /**
   * @param folder the real path of a folder on the disk; nothing on a disk elsewhere is touched
   * @param silent mount points below the served root, which are not touched
   * @returns the paths on the disk of private folders that hold a trash of a file system mounted below `folder`
   */
  privateFolders(folder: string, silent: readonly TreePath[]): string[] {
    // Another thread of this process may have begun to keep content there.
    this.#readRecords()
    const root = this.#served.root.realPath()
    return [...this.#mounted.values()].flatMap(({ location }) => {
      const isBelow = isAtOrBelow(join(root, location.mountPoint), folder)
      const isSilent = silent.some((path) => isAtOrBelow(location.mountPoint, path))
      return isBelow && !isSilent ? (location.privateFolder() ?? []) : []
    })
  }

  /**
   * The usage of a trash folder's file system.
   *
   * @throws Fault unavailable (it is not mounted); system errors
   */
  usage(trash: TrashId): Usage {
    const location = this.#known(trash)?.location
    if (!location) return usageOf(this.#served.root)
    using top = location.top()
    if (!top) throw notMounted()
    return usageOf(top)
  }

  close(): void {
    this.#rootLocation.close()
  }

  /** Another thread of this process may have begun to keep content on the file system that it changes. */
  #known(trash: TrashId): Mounted | undefined {
    if (ID.test(trash) && !this.#mounted.has(trash)) this.#readRecords()
    return this.#mounted.get(trash)
  }

  #readRecords(): void {
    using records = this.#served.home.openIfExists(TRASH_RECORDS)
    for (const id of records?.names() ?? []) {
      if (records && ID.test(id) && !this.#mounted.has(id)) this.#read(records, id)
    }
  }

  /** Adds the trash of a record. */
  #read(records: Handle, id: TrashId): void {
    try {
      this.#add(id, readRecord(records, id), true)
    } catch {
      // Not a record of this server.
    }
  }

  #add(id: TrashId, path: string, isRecorded: boolean): Mounted {
    const location = new MountedLocation(
      id,
      this.#served,
      path.split('/').filter(Boolean),
      isRecorded,
    )
    const mounted = { location, folder: new TrashFolder(location, this.#flushes, this.#doomedFor) }
    this.#mounted.set(id, mounted)
    return mounted
  }

  /** @returns the path of the folder's mount point relative to the root; undefined if it is not below the root */
  #mountOf(folder: Handle): string | undefined {
    const above = withVolumeAbove(folder)
    try {
      const [mountPath, root] = [above[0]?.realPath() ?? '/', this.#served.root.realPath()]
      if (mountPath === root || !isAtOrBelow(mountPath, root)) return undefined
      return mountPath.slice(root.length).replace(/^\/+/, '')
    } finally {
      for (const handle of above) handle.close()
    }
  }
}
