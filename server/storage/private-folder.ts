/**
 * The root's private folder (decisions 11): unfinished uploads, files being written, trees being
 * removed. On the same file system as the files, so that publishing is one rename; invisible to
 * every verb.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { errnoOf } from './errno.ts'
import type { Handle } from './handle.ts'
import { tryLock } from './libc.ts'

export const PRIVATE_FOLDER = '.filemgr'
/** A staged file where the private folder is on another file system (a mount inside the tree). */
export const STAGED_PREFIX = '.filemgr-staged-'

const UPLOADS = 'uploads'
const WORK = 'work'

/** Whether a name, anywhere in the tree, belongs to the storage and not to people. */
export function isPrivateName(name: string, atTop: boolean): boolean {
  return (atTop && name === PRIVATE_FOLDER) || name.startsWith(STAGED_PREFIX)
}

export class PrivateFolder {
  /** Unfinished uploads: they outlive the process. */
  readonly uploads: Handle
  /** This process's own workplace: it lasts as long as the process. */
  readonly #work: Handle
  readonly #workName: string
  readonly #workshops: Handle

  private constructor(uploads: Handle, workshops: Handle, workName: string, work: Handle) {
    this.uploads = uploads
    this.#workshops = workshops
    this.#workName = workName
    this.#work = work
  }

  /**
   * Opens the private folder of `root`, makes it when it is missing, and clears what processes that
   * are gone left unfinished. Undefined when the root cannot be written.
   *
   * @throws Fault conflict when something else stands under its name
   */
  static open(root: Handle): PrivateFolder | undefined {
    try {
      using folder = ownFolder(root, PRIVATE_FOLDER)
      const uploads = ownFolder(folder, UPLOADS)
      const workshops = ownFolder(folder, WORK)
      clearAbandoned(workshops)
      const name = randomName()
      const work = ownFolder(workshops, name)
      tryLock(work.fd)
      return new PrivateFolder(uploads, workshops, name, work)
    } catch (error) {
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

  /** A fresh name in the workplace. */
  place(): { parent: Handle; name: string } {
    return { parent: this.#work, name: randomName() }
  }

  close(): void {
    rmSync(this.#workshops.at(this.#workName), { recursive: true, force: true })
    for (const handle of [this.#work, this.#workshops, this.uploads]) handle.close()
  }
}

export function randomName(): string {
  return randomBytes(12).toString('hex')
}

function ownFolder(parent: Handle, name: string): Handle {
  try {
    mkdirSync(parent.at(name), 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  // A real descriptor and not O_PATH: flock and fsync need one.
  const folder = parent.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
  chmodSync(folder.disk, 0o700)
  return folder
}

/** A workplace whose lock is free has lost its process: what it holds was never published. */
function clearAbandoned(workshops: Handle): void {
  for (const name of readdirSync(workshops.disk)) {
    try {
      using place = workshops.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
      if (tryLock(place.fd)) rmSync(workshops.at(name), { recursive: true, force: true })
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
}
