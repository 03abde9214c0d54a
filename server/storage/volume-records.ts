/**
 * Where the server has private folders, and things that are being removed, outside of the private folder of the
 * root: written down there, so that the next start finds them after a kill.
 */
import { createHash } from 'node:crypto'
import { promises, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { putBack, statsAt } from './atomic.ts'
import type { Handle } from './handle.ts'
import { childOf, isTop } from './mount-top.ts'
import { isFull, writeRecord } from './own-folder.ts'
import { PrivateFolder } from './private-folder.ts'
import { isBeside, PRIVATE_FOLDER } from './private-name.ts'
import { volumeOf } from './volume-id.ts'

/** In a record, between the name that a thing has while it is aside and its own: no path has it. */
const BESIDE = '\0'
const WAITS = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES']

export class Records {
  readonly #root: Handle
  readonly #folder: Handle

  /** @param folder of its own, which it closes */
  constructor(root: Handle, folder: Handle) {
    this.#root = root
    this.#folder = folder
  }

  /**
   * Writes down a place below the root. On a full disk that is left out: what a kill leaves there is found
   * when the place is used next.
   */
  remember(where: string): void {
    const below = where.slice(this.#root.realPath().length)
    try {
      writeFileSync(this.#folder.at(recordOf(where)), bytesOfName(below))
    } catch (error) {
      if (!isFull(error)) throw error
      this.forget(where)
    }
  }

  /**
   * Writes down what is set aside under a reserved name beside its own, and forces it to the disk.
   *
   * @throws system errors
   */
  rememberAside(where: string, name: string): void {
    const below = where.slice(this.#root.realPath().length)
    try {
      writeRecord(this.#folder, recordOf(where), `${below}${BESIDE}${name}`)
    } catch (error) {
      this.forget(where)
      throw error
    }
  }

  forget(where: string): void {
    rmSync(this.#folder.at(recordOf(where)), { force: true })
  }

  /** Puts back and clears what earlier processes wrote down. */
  async clear(uploads: Handle): Promise<void> {
    for (const record of this.#folder.names()) {
      const [below = '', origin] = nameOfBytes(readFileSync(this.#folder.at(record))).split(BESIDE)
      const names = below.split('/').filter(Boolean)
      try {
        if (names.length === 0 || (await this.#isDone(names, origin, uploads))) {
          rmSync(this.#folder.at(record), { force: true })
        }
      } catch (error) {
        // A volume that is not mounted now, or full: the record waits for it.
        const waits = isFull(error) || WAITS.includes(errnoOf(error) ?? '')
        if (!waits) throw error
      }
    }
  }

  close(): void {
    this.#folder.close()
  }

  /** @param origin the name that a thing set aside must have again */
  async #isDone(
    names: readonly string[],
    origin: string | undefined,
    uploads: Handle,
  ): Promise<boolean> {
    const last = names.at(-1) ?? ''
    using folder = childOf(this.#root, isBeside(last) ? names.slice(0, -1) : names)
    if (!isBeside(last)) return await isCleared(folder, uploads)
    if (origin === undefined) {
      await promises.rm(folder.at(last), { recursive: true, force: true })
      return true
    }
    const thing = { parent: folder, name: last }
    if (statsAt(thing)) putBack(thing, { parent: folder, name: origin })
    // Else it is back, or its volume is not mounted.
    else if (volumeOf(folder) === volumeOf(this.#root)) return false
    return true
  }
}

function recordOf(where: string): string {
  return createHash('sha256').update(bytesOfName(where)).digest('hex')
}

/**
 * Clears the private folder in `home`. @returns false when the record of it is still needed: something
 * could not be put back, or this is the bare folder that the volume will be mounted on.
 */
async function isCleared(home: Handle, uploads: Handle): Promise<boolean> {
  if (!home.names().includes(PRIVATE_FOLDER)) return isTop(home)
  const folder = PrivateFolder.openBelow(home)
  try {
    await folder?.clear(uploads)
  } finally {
    folder?.remove()
  }
  return !home.names().includes(PRIVATE_FOLDER)
}
