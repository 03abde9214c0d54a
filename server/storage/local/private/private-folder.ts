/**
 * The server's private folder on a file system of the served tree (docs/decisions.md 11). It holds files that are
 * being written, trees that are being removed or moved to another file system, and in the served root unfinished
 * uploads. It is on the file system of the files, so that publication is one rename. No operation reaches it.
 */

import { constants, renameSync, rmdirSync } from 'node:fs'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { isLocked, lockShared } from '#server/os/lock.ts'
import { rmSync } from '#server/os/remove.ts'
import { Fault } from '#wire/fault.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, openOwnFolder, randomName } from '../attributes/own-folder.ts'
import { restoreName, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'
import { type Aside, isAside, moveAside, restoreAside } from './aside.ts'
import { finishHandover, type Handover, handOver, isHandover } from './handover.ts'
import { isSignOfLife, repeatHeartbeat, writeHeartbeat } from './heartbeat.ts'
import type { Owner, OwnFolder, Processes } from './processes.ts'
import { ensureIdentity } from './root-identity.ts'

/** In the private folder: one folder for each process, which holds a lock and a heartbeat on it while it runs. */
export const WORK = 'work'
/** Prefix of an entry that is being removed, in the folder of processes. */
const DOOMED_PREFIX = 'doomed-'
/** Prefix of the folder of a process that starts, in the private folder. Others may remove it: it is then created again. */
export const STARTING_PREFIX = 'starting-'
const CLAIM_TRIES = 100
/** The new name of a file that a user or a command has created at the path of the private folder. */
const FOUND = 'filemgr-found'
/** How often, and after how many milliseconds, a lock is tried that another process holds while it tests it. */
const LOCK_TRIES = 100
const LOCK_EVERY_MS = 1

export class PrivateFolder implements OwnFolder {
  readonly #processes: Processes
  readonly #shown: Disposable
  readonly #home: Handle
  readonly #folder: Handle
  readonly #work: Handle
  /** The name of this process's folder. */
  readonly ownName: string
  /** Whether another thread of this process has created the folder, and removes it. */
  readonly #isJoined: boolean
  /** The folder of this process in `#work`; undefined while there is no room for one. */
  #processFolder: Handle | undefined

  private constructor(
    processes: Processes,
    { home, folder, work }: { home: Handle; folder: Handle; work: Handle },
    joined: string | undefined,
  ) {
    this.#isJoined = joined !== undefined
    this.ownName = joined ?? randomName()
    this.#processes = processes
    this.#home = home
    this.#folder = folder
    this.#work = work
    lockShared(work.fd)
    try {
      if (joined) this.#processFolder = openOwnFolder(work, joined)
      else this.#ensureProcessFolder()
    } catch (error) {
      if (!isFull(error)) throw error
    }
    this.#shown = processes.show(this)
  }

  /**
   * Opens the private folder in `home`, and creates it if it is missing. Undefined if `home` is not writable.
   *
   * @param processes those that use the private folders of the served tree
   * @param joined the name of the folder of this process, if another thread of it has opened the private folder
   * @throws Fault conflict (another file has its name); system errors. After ENOSPC or EDQUOT no empty folder is left.
   */
  static open(home: Handle, processes: Processes, joined?: string): PrivateFolder | undefined {
    try {
      return new PrivateFolder(processes, openFolders(home), joined)
    } catch (error) {
      if (isFull(error)) removeEmpty(home)
      if (['EROFS', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return undefined
      if (['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) {
        throw new Fault(
          'conflict',
          `The served folder contains ${PRIVATE_FOLDER}, which is not a folder. Rename or remove it, because filemgr stores unfinished uploads in a folder of this name.`,
        )
      }
      throw error
    }
  }

  /**
   * Opens a private folder below the served root. A command or another program may have created a file
   * with the reserved name there; it is renamed to a visible name.
   *
   * @throws as `open`
   */
  static openBelow(home: Handle, processes: Processes): PrivateFolder | undefined {
    try {
      return PrivateFolder.open(home, processes)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      restoreName({ parent: home, name: PRIVATE_FOLDER }, { parent: home, name: FOUND })
      return PrivateFolder.open(home, processes)
    }
  }

  /**
   * Restores the hidden items, and removes the staged files, of processes that have ended. Failures are retried at the
   * next call.
   *
   * @param uploads the folder of unfinished uploads
   * @param options `isStart`: also what `doomed` puts directly into this folder; later this process may use that
   */
  async clear(uploads: Handle, { isStart = true } = {}): Promise<void> {
    using folder = this.#folder.duplicate()
    using work = this.#work.duplicate()
    using home = this.#home.duplicate()
    const pace = pacer()
    for (const name of folder.names().filter((name) => name.startsWith(STARTING_PREFIX))) {
      await fileCalls.rm(folder.at(name), { recursive: true, force: true })
    }
    for (const name of work.names()) {
      await pace()
      if (!isStart && isDoomed(name)) continue
      try {
        if (!this.#processes.isGone(work, name)) continue
        using processFolder = work.child(name, constants.O_RDONLY | O_DIRECTORY)
        // Another process that clears it has the lock.
        if (isLocked(processFolder.fd)) continue
        let isAllRestored = true
        let [staged, hidden] = [0, 0]
        for (const entry of processFolder.names()) {
          await pace()
          if (isHandover(entry)) finishHandover(processFolder, entry, uploads)
          if (!isAside(entry)) staged += Number(!isSignOfLife(entry))
          else if (restoreAside(processFolder, entry, home)) hidden += 1
          else isAllRestored = false
        }
        this.#processes.recovered('hidden', hidden)
        if (!isAllRestored) continue
        await fileCalls.rm(work.at(name), { recursive: true })
        this.#processes.recovered('staged', staged)
      } catch (error) {
        // It is a file: on a full disk, `doomed` gives a removed file a name directly in this folder.
        if (errnoOf(error) === 'ENOTDIR') rmSync(work.at(name), { force: true })
      }
    }
  }

  /** The other processes that have this folder open. */
  others(): Owner[] {
    return this.#others().map((name) => this.#processes.ownerOf(this.#work, name))
  }

  /** Whether another process has this folder open. */
  isShared(): boolean {
    return this.#others().length > 0
  }

  #others(): string[] {
    const names = this.#work.names().filter((name) => !isDoomed(name))
    return this.#processes.others(this.#work, names)
  }

  /** Whether the process with that folder has ended. */
  isGone(ownName: string): boolean {
    return this.#processes.isGone(this.#work, ownName)
  }

  /** As `OwnFolder.beat`. */
  async beat(): Promise<void> {
    const { id } = this.#processes
    const folder = this.#ensureProcessFolder()
    await repeatHeartbeat(folder, id, this.#processes.needsHeartbeat(folder))
  }

  /** As `ensureIdentity`. */
  identity(isCopy: boolean): string | undefined {
    return ensureIdentity(this.#folder, isCopy)
  }

  /** Opens a subfolder that stays when the process ends, and creates it if it is missing. The caller closes it. */
  openLasting(name: string): Handle {
    return openOwnFolder(this.#folder, name)
  }

  /** Opens a subfolder of `openLasting` if it exists. The caller closes it. */
  openIfExists(name: string): Handle | undefined {
    try {
      return this.#folder.child(name, constants.O_RDONLY | O_DIRECTORY)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      return undefined
    }
  }

  /** Removes a subfolder of `openLasting` if it is empty. */
  removeIfEmpty(name: string): void {
    try {
      rmdirSync(this.#folder.at(name))
    } catch {
      // It is not empty.
    }
  }

  /**
   * @returns a new name for content that is removed if this process ends
   * @throws system errors
   */
  staged(): Slot {
    return { parent: this.#ensureProcessFolder(), name: randomName() }
  }

  /**
   * Opens a folder that this or another process has staged. The caller closes it.
   *
   * @param owner the name of the folder of that process
   * @throws system errors
   */
  openStaged(owner: string, name: string): Handle {
    using processFolder = this.#work.child(owner, constants.O_RDONLY | O_DIRECTORY)
    return processFolder.child(name, constants.O_RDONLY | O_DIRECTORY)
  }

  /** @returns a new name for an entry that is being removed; works on a full disk */
  doomed(): Slot {
    try {
      return this.staged()
    } catch (error) {
      if (!isFull(error)) throw error
      return { parent: this.#work, name: `${DOOMED_PREFIX}${randomName()}` }
    }
  }

  /**
   * Hides an entry at `home` or below it, as `moveAside`.
   *
   * @throws system errors
   */
  setAside(slot: Slot): Aside {
    return moveAside(slot, this.#home, this.#ensureProcessFolder())
  }

  /**
   * Records that a copy, which is staged in this folder, is a complete upload, as `handOver` of handover.ts.
   *
   * @throws system errors
   */
  handOver(copy: Slot, upload: string): Handover {
    return handOver(copy, upload, this.#ensureProcessFolder())
  }

  close(): void {
    this.#shown[Symbol.dispose]()
    // Hidden items that could not be restored are kept for the next start.
    if (!this.#isJoined && !this.#processFolder?.names().some(isAside)) {
      rmSync(this.#work.at(this.ownName), { recursive: true, force: true })
    }
    for (const handle of [this.#processFolder, this.#work, this.#folder, this.#home])
      handle?.close()
  }

  /** Closes the private folder, and removes it if it is empty. */
  remove(): void {
    using home = this.#home.duplicate()
    this.close()
    removeEmpty(home)
  }

  /** Creates and locks the folder of this process, if that was not done yet, or another program has removed it. */
  #ensureProcessFolder(): Handle {
    const present = this.#processFolder
    if (present && isLinked(present)) return present
    const folder = this.#claim()
    present?.close()
    this.#processFolder = folder
    if (present) {
      this.#processes.log(
        `The folder ${folder.realPath()} for files that are being written was removed by another program. It was created again.`,
      )
    }
    return folder
  }

  /**
   * Creates the folder of this process. It gets its name when it has its lock and its heartbeat, because without them it
   * would count as that of another machine for ten minutes if this process is killed in between.
   */
  #claim(): Handle {
    const name = STARTING_PREFIX + this.ownName
    for (let tries = 1; ; tries += 1) {
      const folder = openOwnFolder(this.#folder, name)
      try {
        this.#lock(folder)
        renameSync(this.#folder.at(name), this.#work.at(this.ownName))
        folder.movedTo(this.#work, this.ownName)
        return folder
      } catch (error) {
        folder.close()
        rmSync(this.#folder.at(name), { recursive: true, force: true })
        const code = errnoOf(error) ?? ''
        // Another thread of this process has created the folder, and uses it.
        if (['ENOTEMPTY', 'EEXIST'].includes(code)) {
          return this.#lock(openOwnFolder(this.#work, this.ownName))
        }
        // Another process that starts has removed it.
        if (code !== 'ENOENT' || tries >= CLAIM_TRIES) throw error
      }
    }
  }

  #lock(folder: Handle): Handle {
    for (let tries = 1; isLocked(folder.fd) && tries < LOCK_TRIES; tries += 1)
      Bun.sleepSync(LOCK_EVERY_MS)
    if (this.#processes.needsHeartbeat(folder)) writeHeartbeat(folder, this.#processes.id)
    return folder
  }
}

/** @throws system errors, and leaves nothing open then */
function openFolders(home: Handle): { home: Handle; folder: Handle; work: Handle } {
  const folder = openOwnFolder(home, PRIVATE_FOLDER)
  try {
    const work = openOwnFolder(folder, WORK)
    return { home: home.duplicate(), folder, work }
  } catch (error) {
    folder.close()
    throw error
  }
}

/** Whether a folder has not been removed. */
function isLinked(folder: Handle): boolean {
  try {
    return folder.stat().nlink > 0
  } catch {
    return false
  }
}

function isDoomed(name: string): boolean {
  return name.startsWith(DOOMED_PREFIX)
}

/** Removes the private folder of `home` and its folder for processes, if they are empty. */
function removeEmpty(home: Handle): void {
  for (const name of [`${PRIVATE_FOLDER}/${WORK}`, PRIVATE_FOLDER]) {
    try {
      rmdirSync(home.at(name))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    }
  }
}
