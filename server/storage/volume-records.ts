/**
 * Where the server has private folders, and things that are being removed, outside of the private folder of the
 * root: written down there, so that the next start finds them after a kill.
 */
import { createHash } from 'node:crypto'
import { promises, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { errnoOf } from './errno.ts'
import { type Handle, O_FOLDER } from './handle.ts'
import { isFull } from './own-folder.ts'
import { PrivateFolder } from './private-folder.ts'
import { isGoing, PRIVATE_FOLDER } from './private-name.ts'
import { volumeOf } from './volume-id.ts'

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

  forget(where: string): void {
    rmSync(this.#folder.at(recordOf(where)), { force: true })
  }

  /** Puts back and clears what earlier processes wrote down. */
  async clear(uploads: Handle): Promise<void> {
    for (const record of this.#folder.names()) {
      const names = nameOfBytes(readFileSync(this.#folder.at(record)))
        .split('/')
        .filter(Boolean)
      const last = names.at(-1)
      try {
        if (last === undefined || (await this.#isDone(names, last, uploads))) {
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

  async #isDone(names: readonly string[], last: string, uploads: Handle): Promise<boolean> {
    using folder = childOf(this.#root, isGoing(last) ? names.slice(0, -1) : names)
    if (!isGoing(last)) return await isCleared(folder, uploads)
    await promises.rm(folder.at(last), { recursive: true, force: true })
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
