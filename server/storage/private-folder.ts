/**
 * The server's own folder on a file system of the served tree (docs/decisions.md 11): files being written,
 * trees being removed, trees that are on their way to another file system; at the top of the served
 * root also unfinished uploads. It lies on the file system of the files, so that publishing is one
 * rename. No verb reaches it.
 */
import { constants, promises, rmdirSync, rmSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { lockShared, tryLock } from '#server/os/lock.ts'
import { Fault } from '#wire/fault.ts'
import { type Aside, isAside, isRestored, setAside } from './aside.ts'
import { putBack, type Staged } from './atomic.ts'
import type { Handle } from './handle.ts'
import { finishHandover, type Handover, handOver, isHandover } from './handover.ts'
import { isFull, ownFolder, randomName } from './own-folder.ts'
import { PRIVATE_FOLDER } from './private-name.ts'

const WORK = 'work'
/** A visible name for what somebody put where the private folder has to be. */
const FOUND = 'filemgr-found'
/** Leftovers looked at between two turns of the event loop. */
const SLICE = 64

export class PrivateFolder {
  readonly #home: Handle
  readonly #folder: Handle
  readonly #work: Handle
  readonly #ownName = randomName()
  /** This process's own folder in it; missing while there is no room for one. */
  #own: Handle | undefined

  private constructor(home: Handle, folder: Handle, work: Handle) {
    this.#home = home
    this.#folder = folder
    this.#work = work
    lockShared(work.fd)
    try {
      this.#makeOwn()
    } catch (error) {
      if (!isFull(error)) throw error
    }
  }

  /**
   * Opens the private folder in `home`, and makes it when it is missing. Undefined when `home` cannot be
   * written.
   *
   * @throws Fault conflict when something else stands under its name; system errors, of which ENOSPC and
   *   EDQUOT leave nothing behind
   */
  static open(home: Handle): PrivateFolder | undefined {
    try {
      return new PrivateFolder(...opened(home))
    } catch (error) {
      if (isFull(error)) removeEmpty(home)
      if (['EROFS', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return undefined
      if (['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) {
        throw new Fault(
          'conflict',
          `The served folder holds something called ${PRIVATE_FOLDER} that is not a folder. Rename or remove it: filemgr keeps unfinished uploads under this name.`,
        )
      }
      throw error
    }
  }

  /**
   * The same below the served root, where a command or another program may have put anything under the
   * reserved name: what is no folder of a server's gets a name that people see.
   *
   * @throws as `open`
   */
  static openBelow(home: Handle): PrivateFolder | undefined {
    try {
      return PrivateFolder.open(home)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      putBack({ parent: home, name: PRIVATE_FOLDER }, { parent: home, name: FOUND })
      return PrivateFolder.open(home)
    }
  }

  /**
   * Puts back and clears what processes that are gone left. What resists stays for the next time.
   *
   * @param uploads the folder of unfinished uploads
   */
  async clear(uploads: Handle): Promise<void> {
    using work = this.#work.duplicate()
    using home = this.#home.duplicate()
    let seen = 0
    const pause = async () => {
      seen += 1
      if (seen % SLICE === 0) await new Promise(setImmediate)
    }
    for (const name of work.names()) {
      await pause()
      try {
        using left = work.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
        // A folder whose lock is free has lost its process.
        if (!tryLock(left.fd)) continue
        let isLeft = false
        for (const entry of left.names()) {
          await pause()
          if (isHandover(entry)) finishHandover(left, entry, uploads)
          if (isAside(entry) && !isRestored(left, entry, home)) isLeft = true
        }
        if (!isLeft) await promises.rm(work.at(name), { recursive: true })
      } catch (error) {
        // A file that was removed while there was no room for more than its name here.
        if (errnoOf(error) === 'ENOTDIR') rmSync(work.at(name), { force: true })
      }
    }
  }

  /** Names this process among those that work in here. */
  get ownName(): string {
    return this.#ownName
  }

  /** Whether the process of that name has ended. */
  isGone(ownName: string): boolean {
    if (ownName === this.#ownName) return false
    try {
      using left = this.#work.child(ownName, constants.O_RDONLY | constants.O_DIRECTORY)
      return tryLock(left.fd)
    } catch {
      return true
    }
  }

  /** A folder in it that outlives the process. The caller closes it. */
  lasting(name: string): Handle {
    return ownFolder(this.#folder, name)
  }

  /** The same if it is there. */
  found(name: string): Handle | undefined {
    try {
      return this.#folder.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      return undefined
    }
  }

  /** Takes a lasting folder away when nothing is in it. */
  dropEmpty(name: string): void {
    try {
      rmdirSync(this.#folder.at(name))
    } catch {
      // Something is in it: another one of the same kind.
    }
  }

  /** A fresh name for something that may be removed at any time. @throws system errors */
  staged(): Staged {
    return { parent: this.#makeOwn(), name: randomName() }
  }

  /** A fresh name for something that is removed, also where there is no room for anything new. */
  doomed(): Staged {
    try {
      return this.staged()
    } catch (error) {
      if (!isFull(error)) throw error
      return { parent: this.#work, name: randomName() }
    }
  }

  /** `setAside` of aside.ts, for a place at `home` or below it. @throws system errors */
  setAside(slot: Staged): Aside {
    return setAside(slot, this.#home, this.#makeOwn())
  }

  /** `handOver` of handover.ts, for a copy that is staged here. @throws system errors */
  handOver(copy: Staged, upload: string): Handover {
    return handOver(copy, upload, this.#makeOwn())
  }

  close(): void {
    // What is still aside could not be put back: the next start tries again.
    if (!this.#own?.names().some(isAside)) {
      rmSync(this.#work.at(this.#ownName), { recursive: true, force: true })
    }
    for (const handle of [this.#own, this.#work, this.#folder, this.#home]) handle?.close()
  }

  /** Closes it, and takes it away when nothing of anybody's is in it. */
  remove(): void {
    using home = this.#home.duplicate()
    this.close()
    removeEmpty(home)
  }

  #makeOwn(): Handle {
    if (this.#own) return this.#own
    this.#own = ownFolder(this.#work, this.#ownName)
    tryLock(this.#own.fd)
    return this.#own
  }
}

/** @throws system errors, and leaves nothing open then */
function opened(home: Handle): [home: Handle, folder: Handle, work: Handle] {
  const folder = ownFolder(home, PRIVATE_FOLDER)
  try {
    const work = ownFolder(folder, WORK)
    return [home.duplicate(), folder, work]
  } catch (error) {
    folder.close()
    throw error
  }
}

/**
 * Whether a private folder that was met in the tree is some running server's. One that a command has made,
 * or that a stopped server left, goes with the folder that holds it.
 */
export function isInUse(folder: Handle, name: string): boolean {
  try {
    using met = folder.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    using work = met.child(WORK, constants.O_RDONLY | constants.O_DIRECTORY)
    return !tryLock(work.fd)
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')
  }
}

/** Removes the private folder of `home` as far as it is empty. */
function removeEmpty(home: Handle): void {
  for (const name of [`${PRIVATE_FOLDER}/${WORK}`, PRIVATE_FOLDER]) {
    try {
      rmdirSync(home.at(name))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    }
  }
}
