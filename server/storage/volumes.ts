/**
 * File systems below the served root. A mount, a bind mount or a subvolume inside the tree is a volume
 * of its own: nothing can be renamed into it or out of it. While the server works on one, it has a
 * private folder of its own there, so that the storage promises the same on all of them (SECURITY.md,
 * "Another file system below the root").
 */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { errnoOf } from './errno.ts'
import { type Handle, O_FOLDER } from './handle.ts'
import { isPrivateName, PRIVATE_FOLDER, PrivateFolder } from './private-folder.ts'

/** In the root's private folder: where other private folders are in use. */
const RECORDS = 'volumes'

/** What the kernel takes for one volume: a device seen through a mount. */
export type VolumeId = string

/** A private folder, for as long as it is needed. */
export interface VolumeUse extends Disposable {
  folder: PrivateFolder
}

interface Used {
  folder: PrivateFolder
  users: number
}

export class Volumes {
  readonly #root: Handle
  readonly #rootId: VolumeId
  readonly #rootFolder: PrivateFolder | undefined
  /** One record for each private folder elsewhere that is in use. */
  readonly #records: Handle | undefined
  /** The private folders below the root that are in use, by where they lie. */
  readonly #used = new Map<string, Used>()

  private constructor(root: Handle, folder: PrivateFolder | undefined) {
    this.#root = root
    this.#rootId = volumeOf(root)
    this.#rootFolder = folder
    this.#records = folder?.lasting(RECORDS)
    if (this.#records) clearElsewhere(root, this.#records)
  }

  /**
   * Opens the private folder of the served root, and clears those that a killed process left on other
   * volumes. The root stays the caller's to close.
   *
   * @throws Fault conflict when something else stands under its name
   */
  static open(root: Handle): Volumes {
    return new Volumes(root, PrivateFolder.open(root))
  }

  /** The private folder at the top; undefined when nothing in the tree can be written. */
  get top(): PrivateFolder | undefined {
    return this.#rootFolder
  }

  /**
   * The private folder for things that come to lie in `folder`, or leave it, by one rename.
   *
   * @param beside in the folder itself: for file systems that forbid renames between some of their
   *   folders (project quotas)
   * @throws Fault readOnly when there can be none
   */
  use(folder: Handle, beside = false): VolumeUse {
    if (!this.#rootFolder) throw readOnly()
    if (!beside && volumeOf(folder) === this.#rootId) return lent(this.#rootFolder, () => undefined)
    const homes = beside ? [folder.duplicate()] : homesOf(folder)
    try {
      for (const home of homes) {
        const found = this.#open(home)
        if (found) return found
      }
    } finally {
      for (const home of homes) home.close()
    }
    throw readOnly()
  }

  /**
   * Refuses a folder that was removed, or set aside, after it was opened: what is put into it now would
   * go with it, and what is taken out of it now could not come back to its place. And one that was moved
   * since rights were asked about its path.
   *
   * @param where its path then, where one was asked about
   * @throws Fault notFound
   */
  mustBeInSight(folder: Handle, where?: string): void {
    const isElsewhere = where !== undefined && folder.realPath() !== where
    if (isElsewhere || this.isOutOfSight(folder)) {
      throw new Fault('notFound', 'The folder is not there any more.')
    }
  }

  /** Whether something lies in a private folder by now, or is removed. */
  isOutOfSight(object: Handle): boolean {
    const [path, top] = [object.realPath(), this.#root.realPath()]
    // What was opened through a bind mount has left it when it was moved away: no path leads to it.
    const isBelow = path === top || path.startsWith(top === '/' ? top : `${top}/`)
    return !isBelow || path.split('/').some(isPrivateName)
  }

  close(): void {
    for (const { folder } of this.#used.values()) folder.close()
    this.#records?.close()
    this.#rootFolder?.close()
  }

  #open(home: Handle): VolumeUse | undefined {
    const where = home.realPath()
    const used = this.#used.get(where) ?? this.#begin(home, where)
    if (!used) return undefined
    used.users += 1
    return lent(used.folder, () => {
      used.users -= 1
      if (used.users > 0) return
      this.#used.delete(where)
      used.folder.remove()
      this.#forget(where)
    })
  }

  #begin(home: Handle, where: string): Used | undefined {
    this.#remember(where)
    const folder = PrivateFolder.open(home)
    if (!folder) {
      this.#forget(where)
      return undefined
    }
    const used = { folder, users: 0 }
    this.#used.set(where, used)
    return used
  }

  /** Writes down where a private folder is made, so that the next start finds it after a kill. */
  #remember(where: string): void {
    const below = where.slice(this.#root.realPath().length)
    if (this.#records) writeFileSync(this.#records.at(recordOf(where)), bytesOfName(below))
  }

  #forget(where: string): void {
    if (this.#records) rmSync(this.#records.at(recordOf(where)), { force: true })
  }
}

/** Which volume an open object lies on. */
export function volumeOf(object: Handle): VolumeId {
  return `${object.stat().dev}:${mountOf(object)}`
}

/** The kernel's number of the mount (proc_pid_fdinfo(5)); empty where it does not tell. */
function mountOf({ fd }: Handle): string {
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''
  } catch {
    return ''
  }
}

/** The folders of one volume from its top down to `folder`: where a private folder may lie. */
function homesOf(folder: Handle): Handle[] {
  const volume = volumeOf(folder)
  const homes = [folder.duplicate()]
  for (let lowest = homes[0]; lowest; ) {
    const above = lowest.above()
    if (volumeOf(above) !== volume || above.identity() === lowest.identity()) {
      above.close()
      return homes
    }
    homes.unshift(above)
    lowest = above
  }
  return homes
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

function recordOf(where: string): string {
  return createHash('sha256').update(bytesOfName(where)).digest('hex')
}

/** Opens each private folder that an earlier process wrote down: that puts back and clears. */
function clearElsewhere(root: Handle, records: Handle): void {
  for (const record of records.names()) {
    const below = nameOfBytes(readFileSync(records.at(record)))
    try {
      using home = childOf(root, below.split('/').filter(Boolean))
      if (isCleared(home)) rmSync(records.at(record), { force: true })
    } catch (error) {
      // A volume that is not mounted now: the record waits for it.
      if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errnoOf(error) ?? '')) throw error
    }
  }
}

/**
 * Clears the private folder in `home`. @returns false when the record of it is still needed: something
 * could not be put back, or this is the bare folder that the volume will be mounted on.
 */
function isCleared(home: Handle): boolean {
  if (!home.names().includes(PRIVATE_FOLDER)) return isTop(home)
  PrivateFolder.open(home)?.remove()
  return !home.names().includes(PRIVATE_FOLDER)
}

/** Whether a volume is mounted right on this folder. */
function isTop(folder: Handle): boolean {
  using above = folder.above()
  return volumeOf(above) !== volumeOf(folder)
}

/** What the names lead to, one after the other, without following links. */
function childOf(root: Handle, names: readonly string[]): Handle {
  let folder = root.duplicate()
  for (const name of names) {
    using above = folder
    folder = above.child(name, O_FOLDER)
  }
  return folder
}

function readOnly(): Fault {
  return new Fault('readOnly', 'This folder can only be read.')
}
