/**
 * Records of private folders, and of items being removed, on other volumes than the root's. They are kept in the
 * root's private folder, so that the next start finds them after a crash.
 */

import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import type { TreePath } from '#wire/paths.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { isFull, writeRecord } from '../attributes/own-folder.ts'
import { lstatAt, restoreName } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'
import { isBeside } from '../handles/private-name.ts'
import { childOf, isMountPoint, volumeOf } from '../mounts/mounts.ts'
import { PrivateFolder } from './private-folder.ts'
import type { Processes } from './processes.ts'

/** In a record, separates the path of a hidden item, its original name, and the process; no path contains it. */
const SEPARATOR = '\0'

export class Records {
  readonly #root: Handle
  readonly #folder: Handle
  readonly #home: PrivateFolder
  readonly #processes: Processes

  /**
   * @param folder closed by this object
   * @param home the private folder of the root
   */
  constructor(root: Handle, folder: Handle, home: PrivateFolder, processes: Processes) {
    this.#root = root
    this.#folder = folder
    this.#home = home
    this.#processes = processes
  }

  /**
   * Records a path below the root. On a full disk this is skipped; leftovers are then found when the folder is next
   * used.
   */
  remember(path: string): void {
    const below = path.slice(this.#root.realPath().length)
    try {
      writeFileSync(this.#folder.at(recordOf(path)), bytesOfName(below))
    } catch (error) {
      if (!isFull(error)) throw error
      this.forget(path)
    }
  }

  /**
   * Records an item that is hidden under a reserved name in its own folder, and flushes the record.
   *
   * @throws system errors
   */
  rememberAside(path: string, name: string): void {
    const below = path.slice(this.#root.realPath().length)
    try {
      writeRecord(this.#folder, recordOf(path), [below, name, this.#home.ownName].join(SEPARATOR))
    } catch (error) {
      this.forget(path)
      throw error
    }
  }

  forget(path: string): void {
    rmSync(this.#folder.at(recordOf(path)), { force: true })
  }

  /** The recorded paths below the root. */
  paths(): TreePath[] {
    return this.#folder.names().flatMap((record) => {
      try {
        const [below = ''] = nameOfBytes(readFileSync(this.#folder.at(record))).split(SEPARATOR)
        return [below as TreePath]
      } catch {
        // It was removed in the meantime.
        return []
      }
    })
  }

  /**
   * Restores and removes what earlier processes recorded. Failures are retried at the next start.
   *
   * @param isMine whether this thread may touch a path below the root
   */
  async clear(uploads: Handle, isMine: (path: TreePath) => boolean): Promise<void> {
    for (const record of this.#folder.names()) {
      const [below = '', origin, owner] = nameOfBytes(readFileSync(this.#folder.at(record))).split(
        SEPARATOR,
      )
      // The process still moves the hidden item. Records of earlier versions name no process.
      if (owner !== undefined && !this.#home.isGone(owner)) continue
      const names = below.split('/').filter(Boolean)
      if (!isMine(`/${names.join('/')}` as TreePath)) continue
      try {
        if (names.length === 0 || (await this.#clearRecorded(names, origin, uploads))) {
          rmSync(this.#folder.at(record), { force: true })
        }
      } catch (error) {
        // The volume is not mounted, full, read-only or damaged. The record is kept.
        if (errnoOf(error) === undefined) throw error
      }
    }
  }

  close(): void {
    this.#folder.close()
  }

  /**
   * Removes the entry at a recorded path, restores a hidden item, or clears the private folder there.
   *
   * @param origin the original name of a hidden item
   * @returns false if the record is still needed
   */
  async #clearRecorded(
    names: readonly string[],
    origin: string | undefined,
    uploads: Handle,
  ): Promise<boolean> {
    const last = names.at(-1) ?? ''
    using folder = childOf(this.#root, isBeside(last) ? names.slice(0, -1) : names)
    if (!isBeside(last)) return await clearPrivateFolder(folder, uploads, this.#processes)
    if (origin === undefined) {
      await fileCalls.rm(folder.at(last), { recursive: true, force: true })
      return true
    }
    const slot = { parent: folder, name: last }
    if (lstatAt(slot)) restoreName(slot, { parent: folder, name: origin })
    // The item was restored, or its volume is not mounted.
    else if (volumeOf(folder) === volumeOf(this.#root)) return false
    return true
  }
}

function recordOf(path: string): string {
  return createHash('sha256').update(bytesOfName(path)).digest('hex')
}

/**
 * Clears the private folder in `home`.
 *
 * @returns false if its record is still needed: an item could not be restored, or the volume is not mounted
 */
async function clearPrivateFolder(
  home: Handle,
  uploads: Handle,
  processes: Processes,
): Promise<boolean> {
  if (!home.names().includes(PRIVATE_FOLDER)) return isMountPoint(home)
  const folder = PrivateFolder.openBelow(home, processes)
  try {
    await folder?.clear(uploads)
  } finally {
    folder?.remove()
  }
  return !home.names().includes(PRIVATE_FOLDER)
}
