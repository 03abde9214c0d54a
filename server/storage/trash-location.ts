/**
 * Where a trash folder lies: in the private folder of the served root, or in one at the top of a file system that is
 * mounted below it. Of a mounted one nothing is held open, so that it can be unmounted at any time.
 */
import { accessSync, constants, rmdirSync, rmSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { syncFolder } from './atomic.ts'
import type { Handle } from './handle.ts'
import { childOf, isTop } from './mount-top.ts'
import { isFull, ownFolder, writeRecord } from './own-folder.ts'
import type { PrivateFolder } from './private-folder.ts'
import { PRIVATE_FOLDER } from './private-name.ts'
import { ROOT_TRASH, type TrashId } from './step.ts'

export interface TrashLocation {
  readonly id: TrashId
  /** Whether the folder is there, or may be made. */
  readonly isReady: boolean
  /** Opens the folder, and makes it when it is missing. The caller closes it. @throws system errors */
  make(): Handle
  /** Opens the folder; undefined when there is none, or its file system is not mounted. The caller closes it. */
  find(): Handle | undefined
  /** Forces the names in it to the disk. */
  sync(flushes: FlushQueue): Promise<void>
  /** Takes the folder away when nothing is in it. */
  tidy(): void
}

/** The served folder, and the server's own folder in it. */
export interface ServedRoot {
  root: Handle
  home: PrivateFolder
}

/** In the private folder of the root: where trash folders lie on other file systems. */
export const TRASH_RECORDS = 'trashes'
const TRASH = 'trash'
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY
/** Nothing of that kind is mounted there now. */
const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']

/** In the private folder of the served root, where it always is. */
export class TopLocation implements TrashLocation {
  readonly id = ROOT_TRASH
  readonly #home: PrivateFolder
  /** Missing while there is no room for one. */
  #made: Handle | undefined

  /** @param home the caller's */
  constructor(home: PrivateFolder) {
    this.#home = home
    this.find()?.close()
  }

  get isReady(): boolean {
    using folder = this.find()
    return folder !== undefined
  }

  make(): Handle {
    this.#made ??= this.#home.lasting(TRASH)
    return this.#made.reopen(FOLDER)
  }

  find(): Handle | undefined {
    try {
      return this.make()
    } catch (error) {
      if (!isFull(error)) throw error
      return undefined
    }
  }

  async sync(flushes: FlushQueue): Promise<void> {
    if (this.#made) await syncFolder(this.#made, flushes)
  }

  tidy(): void {}

  close(): void {
    this.#made?.close()
  }
}

/** That of a record which is lost: nothing is there. */
export const NOWHERE: TrashLocation = {
  id: 'nowhere',
  isReady: false,
  make() {
    throw noSuchFolder()
  },
  find: () => undefined,
  sync: async () => undefined,
  tidy: () => undefined,
}

/**
 * At the top of a file system mounted below the root, under a name that no other server has. Where that is stands in a
 * record in the private folder of the root, as long as anything is kept there.
 */
export class MountedLocation implements TrashLocation {
  readonly id: TrashId
  readonly #root: Handle
  readonly #topHome: PrivateFolder
  readonly #names: readonly string[]
  #isRecorded: boolean
  /** Its own name is not on the disk yet. */
  #isNew = false

  /**
   * @param root the served folder, which stays the caller's
   * @param home its private folder, with the folder of records
   * @param names of the folder that the file system is mounted on, from the root
   */
  constructor(
    id: TrashId,
    { root, home }: ServedRoot,
    names: readonly string[],
    isRecorded: boolean,
  ) {
    this.id = id
    this.#root = root
    this.#topHome = home
    this.#names = names
    this.#isRecorded = isRecorded
  }

  get isReady(): boolean {
    using folder = this.find()
    using home = this.#home()
    return folder !== undefined || (home !== undefined && isWritable(home))
  }

  make(): Handle {
    using home = this.#home()
    if (!home) throw noSuchFolder()
    if (!this.#isRecorded) {
      using records = this.#topHome.lasting(TRASH_RECORDS)
      writeRecord(records, this.id, this.#names.join('/'))
      this.#isRecorded = true
    }
    using own = ownFolder(home, PRIVATE_FOLDER)
    if (!own.names().includes(this.#name)) this.#isNew = true
    return ownFolder(own, this.#name)
  }

  find(): Handle | undefined {
    try {
      using home = this.#home()
      using own = home?.child(PRIVATE_FOLDER, FOLDER)
      return own?.child(this.#name, FOLDER)
    } catch (error) {
      if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
      return undefined
    }
  }

  /** Whether its file system is mounted now. */
  get isMounted(): boolean {
    using home = this.#home()
    return home !== undefined
  }

  /** Where the private folder lies that it is in, on the disk; undefined when it is not there. */
  privateFolder(): string | undefined {
    using folder = this.find()
    using own = folder?.above()
    return own?.realPath()
  }

  async sync(flushes: FlushQueue): Promise<void> {
    using folder = this.find()
    if (!folder) return
    await syncFolder(folder, flushes)
    if (!this.#isNew) return
    this.#isNew = false
    using own = folder.above()
    using home = own.above()
    await syncFolder(own, flushes)
    await syncFolder(home, flushes)
  }

  tidy(): void {
    using home = this.#home()
    if (!home) return
    for (const name of [`${PRIVATE_FOLDER}/${this.#name}`, PRIVATE_FOLDER]) {
      try {
        rmdirSync(home.at(name))
      } catch (error) {
        // Something is in it, or it is not there.
        if (name !== PRIVATE_FOLDER && errnoOf(error) !== 'ENOENT') return
      }
    }
    using records = this.#topHome.found(TRASH_RECORDS)
    if (records) rmSync(records.at(this.id), { force: true })
    this.#isRecorded = false
  }

  get #name(): string {
    return `${TRASH}-${this.id}`
  }

  /** The top of the file system, if one is mounted there. */
  #home(): Handle | undefined {
    let folder: Handle | undefined
    try {
      folder = childOf(this.#root, this.#names)
    } catch (error) {
      if (!ABSENT.includes(errnoOf(error) ?? '')) throw error
    }
    if (folder && isTop(folder)) return folder
    folder?.close()
    return undefined
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
