/**
 * File systems below the served root. A mount, a bind mount or a subvolume inside the tree is a volume
 * of its own: nothing can be renamed into it or out of it. While the server works on one, it has a
 * private folder of its own there, so that the storage promises the same on all of them (SECURITY.md,
 * "Another file system below the root").
 */
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { Fault } from '#wire/fault.ts'
import type { Aside } from './aside.ts'
import type { Staged } from './atomic.ts'
import { asideBeside, type Doomed, doomedBeside } from './beside.ts'
import type { Handle } from './handle.ts'
import { withVolumeAbove } from './mount-top.ts'
import { isAtOrBelow, mountedAgain } from './mounted-again.ts'
import { isFull } from './own-folder.ts'
import { PrivateFolder } from './private-folder.ts'
import { isPrivateName, PRIVATE_FOLDER } from './private-name.ts'
import { TrashFolders } from './trash-folders.ts'
import { type VolumeId, volumeOf } from './volume-id.ts'
import { Records } from './volume-records.ts'

/** In the private folder of the root: unfinished uploads, and where other private folders are in use. */
const UPLOADS = 'uploads'
const RECORDS = 'volumes'
/** Homes remembered as cleared; beyond that they are cleared once more. */
const CLEARED_MAX = 1000

/** A private folder, for as long as it is needed. */
export interface VolumeUse extends Disposable {
  folder: PrivateFolder
}

interface Used {
  folder: PrivateFolder
  users: number
  /** What an earlier process left there is cleared by then. */
  ready: Promise<void>
}

/** The folder at the top of the tree that can be written, and what is in it. */
interface Top {
  folder: PrivateFolder
  uploads: Handle
  records: Records
}

export class Volumes {
  /** Who forces what changes to the disk. */
  readonly flushes: FlushQueue
  readonly #root: Handle
  readonly #rootId: VolumeId
  readonly #top: Top | undefined
  /** Where deleted and replaced content is kept; undefined when nothing in the tree can be written. */
  readonly trashes: TrashFolders | undefined
  /** The private folders below the root that are in use, by where they lie. */
  readonly #used = new Map<string, Used>()
  /** Where this process has cleared what others left. */
  readonly #cleared = new Set<string>()

  private constructor(root: Handle, flushes: FlushQueue, top: Top | undefined) {
    this.#root = root
    this.flushes = flushes
    this.#rootId = volumeOf(root)
    this.#top = top
    this.trashes =
      top &&
      new TrashFolders({ root, home: top.folder }, flushes, (folder) => this.doomedFor(folder))
  }

  /**
   * Opens the private folder of the served root, and clears those that a killed process left on other
   * volumes. The root stays the caller's to close.
   *
   * @throws Fault conflict when something else stands under its name, noSpace when there is no room to make it
   */
  static async open(root: Handle, flushes: FlushQueue): Promise<Volumes> {
    const top = topOf(root)
    if (top) {
      await top.folder.clear(top.uploads)
      await top.records.clear(top.uploads)
    }
    return new Volumes(root, flushes, top)
  }

  /** The folder of unfinished uploads; undefined when nothing in the tree can be written. */
  get uploads(): Handle | undefined {
    return this.#top?.uploads
  }

  /**
   * The private folder for things that come to lie in `folder`, or leave it, by one rename.
   *
   * @throws Fault readOnly when there can be none; ENOSPC or EDQUOT when there is no room for one
   */
  async use(folder: Handle): Promise<VolumeUse> {
    if (!this.#top) throw new Fault('readOnly', 'This folder can only be read.')
    if (volumeOf(folder) === this.#rootId) return lent(this.#top.folder, () => undefined)
    const homes = withVolumeAbove(folder)
    try {
      for (const home of homes) {
        const found = await this.#open(home, this.#top)
        if (found) return found
      }
    } finally {
      for (const home of homes) home.close()
    }
    throw new Fault('readOnly', 'This folder can only be read.')
  }

  /**
   * A name to remove something under: in the private folder, or beside the thing where there is no room for one.
   *
   * @throws as `use`, but for want of room
   */
  async doomedFor(folder: Handle): Promise<Doomed> {
    return this.#withSpace(
      folder,
      (own, dispose) => ({ ...own.doomed(), [Symbol.dispose]: dispose }),
      (records) => doomedBeside(folder, records),
    )
  }

  /**
   * Takes a thing out of sight, into the private folder or beside it, where it is found again after a kill.
   *
   * @param check throws for a place that nothing is taken from any more; nothing waits after it
   * @throws as `use`, and what `check` throws
   */
  async setAside(slot: Staged, check: () => void): Promise<Aside> {
    return this.#withSpace(
      slot.parent,
      (own, dispose) => {
        check()
        const aside = own.setAside(slot)
        const disposeOfIt = aside[Symbol.dispose]
        return {
          ...aside,
          [Symbol.dispose]() {
            disposeOfIt()
            dispose()
          },
        }
      },
      (records) => {
        check()
        return asideBeside(slot, records)
      },
    )
  }

  /**
   * Refuses a folder that was removed, or set aside, after it was opened: what is put into it now would
   * go with it, and what is taken out of it now could not come back to its place. And one that was moved
   * since rights were asked about its path.
   *
   * @param where its path then, where one was asked about
   * @throws Fault notFound
   */
  mustBeVisible(folder: Handle, where?: string): void {
    const isElsewhere = where !== undefined && folder.realPath() !== where
    if (isElsewhere || this.isHidden(folder)) {
      throw new Fault('notFound', 'The folder is not there any more.')
    }
  }

  /**
   * Refuses a folder that is reached by another way below the root, or in part: what is written by that way
   * while it goes would go with it.
   *
   * @throws Fault locked
   */
  mustNotBeMounted({ parent, name }: Staged): void {
    const top = this.#root.realPath()
    const mounts = mountedAgain([`${parent.realPath()}/${name}`.replace(/^\/+/, '/')])
    if (!mounts.some((at) => isAtOrBelow(at, top))) return
    throw new Fault('locked', 'A part of this folder is mounted at another place.')
  }

  /** Whether something lies in a private folder by now, or is removed. */
  isHidden(object: Handle): boolean {
    const [path, top] = [object.realPath(), this.#root.realPath()]
    // What was opened through a bind mount has left it when it was moved away: no path leads to it.
    return !isAtOrBelow(path, top) || path.split('/').some(isPrivateName)
  }

  close(): void {
    for (const { folder } of this.#used.values()) folder.close()
    if (!this.#top) return
    this.trashes?.close()
    const { folder, ...others } = this.#top
    for (const other of Object.values(others)) other.close()
    folder.close()
  }

  /** Does something in the private folder; or otherwise, where the file system is full. */
  async #withSpace<T>(
    folder: Handle,
    act: (own: PrivateFolder, dispose: () => void) => T,
    otherwise: (records: Records) => T,
  ): Promise<T> {
    let use: VolumeUse | undefined
    try {
      use = await this.use(folder)
      return act(use.folder, use[Symbol.dispose])
    } catch (error) {
      use?.[Symbol.dispose]()
      if (!isFull(error) || !this.#top) throw error
      return otherwise(this.#top.records)
    }
  }

  async #open(home: Handle, top: Top): Promise<VolumeUse | undefined> {
    const where = home.realPath()
    const used = this.#used.get(where) ?? this.#begin(home, where, top)
    if (!used) return undefined
    used.users += 1
    const use = lent(used.folder, () => {
      used.users -= 1
      if (used.users > 0) return
      this.#used.delete(where)
      used.folder.remove()
      top.records.forget(where)
    })
    try {
      await used.ready
      return use
    } catch (error) {
      use[Symbol.dispose]()
      throw error
    }
  }

  #begin(home: Handle, where: string, top: Top): Used | undefined {
    top.records.remember(where)
    let folder: PrivateFolder | undefined
    try {
      folder = PrivateFolder.openBelow(home)
    } finally {
      if (!folder) top.records.forget(where)
    }
    if (!folder) return undefined
    const used = { folder, users: 0, ready: this.#clear(folder, `${volumeOf(home)} ${where}`, top) }
    this.#used.set(where, used)
    return used
  }

  /** Once for each volume: whoever makes folders there without end does not slow each write. */
  async #clear(folder: PrivateFolder, volume: string, { uploads }: Top): Promise<void> {
    if (this.#cleared.has(volume)) return
    if (this.#cleared.size >= CLEARED_MAX) this.#cleared.clear()
    this.#cleared.add(volume)
    await folder.clear(uploads)
  }
}

/** @throws Fault conflict, noSpace */
function topOf(root: Handle): Top | undefined {
  try {
    const folder = PrivateFolder.open(root)
    if (!folder) return undefined
    const [uploads, records] = [folder.lasting(UPLOADS), folder.lasting(RECORDS)]
    return { folder, uploads, records: new Records(root, records) }
  } catch (cause) {
    if (!isFull(cause)) throw cause
    throw new Fault(
      'noSpace',
      `The served folder is full: filemgr needs a folder ${PRIVATE_FOLDER} of its own in it. Remove something and start again.`,
      { cause },
    )
  }
}

function lent(folder: PrivateFolder, giveBack: () => void): VolumeUse {
  let held = true
  return {
    folder,
    [Symbol.dispose]() {
      if (held) giveBack()
      held = false
    },
  }
}
