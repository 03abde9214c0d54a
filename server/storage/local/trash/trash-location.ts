/**
 * The location of a trash folder: in the private folder of the served root, or at the top of a file system mounted
 * below it. For a mounted one nothing is held open, so that it can be unmounted at any time.
 */

import { accessSync, constants, lstatSync, rmdirSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { ROOT_TRASH, type TrashId } from '#server/storage/step.ts'
import type { TreePath } from '#wire/paths.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, openOwnFolder, writeRecord } from '../attributes/own-folder.ts'
import { syncFolder } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import { childOf, isMountPoint } from '../mounts/mounts.ts'
import type { PrivateFolder } from '../private/private-folder.ts'

export interface TrashLocation {
  readonly id: TrashId
  /** Whether the folder exists or can be created. */
  readonly isReady: boolean
  /**
   * Opens the folder, and creates it if it is missing. The caller closes it.
   *
   * @throws system errors
   */
  make(): Handle
  /** Opens the folder; undefined if it does not exist, or its file system is not mounted. The caller closes it. */
  find(): Handle | undefined
  /** As `make`, for the folder of the records. */
  makeRecords(): Handle
  /** As `find`, for the folder of the records. */
  findRecords(): Handle | undefined
  /** Flushes the names in the folder. */
  sync(flushes: FlushQueue): Promise<void>
  /** Removes the folder if it is empty. */
  removeIfEmpty(): void
}

/** The served folder and its private folder. */
export interface ServedRoot {
  root: Handle
  home: PrivateFolder
}

/** In the root's private folder: the records of trash folders on other file systems. */
export const TRASH_RECORDS = 'trashes'
const TRASH = 'trash'
/** The folder beside the trash with the records of its content. */
const RECORDS = 'trash-records'
const FOLDER = constants.O_RDONLY | O_DIRECTORY
/** Errors of opening a folder below a mount point whose file system is not mounted. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']

/** The trash in the private folder of the served root, which is always mounted. */
export class RootLocation implements TrashLocation {
  readonly id = ROOT_TRASH
  readonly #home: PrivateFolder
  /** The trash folder; undefined while there is no room for it. */
  #created: Handle | undefined

  /** @param home closed by the caller */
  constructor(home: PrivateFolder) {
    this.#home = home
    this.find()?.close()
  }

  get isReady(): boolean {
    using folder = this.find()
    return folder !== undefined
  }

  make(): Handle {
    this.#created ??= this.#home.openLasting(TRASH)
    return this.#created.reopen(FOLDER)
  }

  find(): Handle | undefined {
    try {
      return this.make()
    } catch (error) {
      if (!isFull(error)) throw error
      return undefined
    }
  }

  makeRecords(): Handle {
    return this.#home.openLasting(RECORDS)
  }

  findRecords(): Handle | undefined {
    return this.#home.openIfExists(RECORDS)
  }

  async sync(flushes: FlushQueue): Promise<void> {
    if (this.#created) await syncFolder(this.#created, flushes)
  }

  removeIfEmpty(): void {}

  close(): void {
    this.#created?.close()
  }
}

/** The location for a trash name whose folder is not recorded any more: an empty trash. */
export const NOWHERE: TrashLocation = {
  id: 'nowhere',
  isReady: false,
  make() {
    throw noSuchFolder()
  },
  find: () => undefined,
  makeRecords() {
    throw noSuchFolder()
  },
  findRecords: () => undefined,
  sync: async () => undefined,
  removeIfEmpty: () => undefined,
}

/**
 * The trash at the top of a mounted file system, under a name that no other server uses. While content is kept in it,
 * a record in the root's private folder holds the path of the mount point.
 *
 * Disks can be mounted at the same place one after the other. The folder of the trash tells its own disk from the others:
 * where it is missing, nothing is known about the content.
 */
export class MountedLocation implements TrashLocation {
  readonly id: TrashId
  readonly #root: Handle
  readonly #rootPrivateFolder: PrivateFolder
  /** The segments of the path from the served root to the mount point. */
  readonly #names: readonly string[]
  /** Whether the record in the root's private folder exists. */
  #isRecorded: boolean
  /** Whether the trash folder was created and its name is not flushed yet. */
  #isNew = false

  /**
   * @param root the served folder, closed by the caller
   * @param home the private folder of `root`, with the folder of records
   * @param names the segments of the path from `root` to the mount point
   */
  constructor(
    id: TrashId,
    { root, home }: ServedRoot,
    names: readonly string[],
    isRecorded: boolean,
  ) {
    this.id = id
    this.#root = root
    this.#rootPrivateFolder = home
    this.#names = names
    this.#isRecorded = isRecorded
  }

  /** The mount point as a path below the root. */
  get mountPoint(): TreePath {
    return `/${this.#names.join('/')}` as TreePath
  }

  /** Opens the top of the file system of the trash, if it is mounted. The caller closes it. */
  top(): Handle | undefined {
    let folder: Handle | undefined
    try {
      folder = childOf(this.#root, this.#names)
    } catch (error) {
      if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
    }
    if (folder && isMountPoint(folder) && this.#isOwn(folder)) return folder
    folder?.close()
    return undefined
  }

  get isReady(): boolean {
    using folder = this.find()
    using top = this.top()
    return folder !== undefined || (top !== undefined && isWritable(top))
  }

  make(): Handle {
    using top = this.top()
    if (!top) throw noSuchFolder()
    using privateFolder = openOwnFolder(top, PRIVATE_FOLDER)
    if (!privateFolder.names().includes(this.#name)) this.#isNew = true
    const folder = openOwnFolder(privateFolder, this.#name)
    try {
      if (!this.#isRecorded) this.#record()
      return folder
    } catch (error) {
      folder.close()
      this.removeIfEmpty()
      throw error
    }
  }

  find(): Handle | undefined {
    return this.#find(this.#name)
  }

  makeRecords(): Handle {
    using folder = this.make()
    using privateFolder = folder.above()
    return openOwnFolder(privateFolder, this.#records)
  }

  findRecords(): Handle | undefined {
    return this.#find(this.#records)
  }

  #find(name: string): Handle | undefined {
    try {
      using top = this.top()
      using privateFolder = top?.child(PRIVATE_FOLDER, FOLDER)
      return privateFolder?.child(name, FOLDER)
    } catch (error) {
      if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
      return undefined
    }
  }

  /** Whether the file system of the trash is mounted, or, while nothing is kept, any at the mount point. */
  get isMounted(): boolean {
    using top = this.top()
    return top !== undefined
  }

  /** The path on the disk of the private folder that holds it; undefined if it does not exist. */
  privateFolder(): string | undefined {
    using folder = this.find()
    using privateFolder = folder?.above()
    return privateFolder?.realPath()
  }

  async sync(flushes: FlushQueue): Promise<void> {
    using folder = this.find()
    if (!folder) return
    await syncFolder(folder, flushes)
    if (!this.#isNew) return
    this.#isNew = false
    using privateFolder = folder.above()
    using top = privateFolder.above()
    await syncFolder(privateFolder, flushes)
    await syncFolder(top, flushes)
  }

  removeIfEmpty(): void {
    using top = this.top()
    if (!top) return
    const names = [this.#records, this.#name].map((name) => `${PRIVATE_FOLDER}/${name}`)
    for (const name of [...names, PRIVATE_FOLDER]) {
      try {
        rmdirSync(top.at(name))
      } catch (error) {
        // It is not empty, or does not exist.
        if (name !== PRIVATE_FOLDER && errnoOf(error) !== 'ENOENT') return
      }
    }
    using records = this.#rootPrivateFolder.openIfExists(TRASH_RECORDS)
    if (records) rmSync(records.at(this.id), { force: true })
    this.#isRecorded = false
  }

  /** Notes where the trash is. Another process may have noted it. */
  #record(): void {
    using records = this.#rootPrivateFolder.openLasting(TRASH_RECORDS)
    try {
      writeRecord(records, this.id, this.#names.join('/'))
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
    this.#isRecorded = true
  }

  get #records(): string {
    return `${RECORDS}-${this.id}`
  }

  get #name(): string {
    return `${TRASH}-${this.id}`
  }

  #isOwn(top: Handle): boolean {
    if (!this.#isRecorded) return true
    const stats = lstatSync(top.at(`${PRIVATE_FOLDER}/${this.#name}`), { throwIfNoEntry: false })
    return stats?.isDirectory() === true
  }
}

function isWritable(folder: Handle): boolean {
  try {
    accessSync(folder.disk, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function noSuchFolder(): Error {
  return Object.assign(new Error('open: ENOENT'), { code: 'ENOENT' })
}
