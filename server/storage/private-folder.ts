/**
 * The server's own folder on a file system of the served tree (decisions 11): files being written,
 * trees being removed, trees that are on their way to another file system; at the top of the served
 * root also unfinished uploads. It lies on the file system of the files, so that publishing is one
 * rename. No verb reaches it.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { bytesOfName, nameOfBytes } from '#wire/names.ts'
import { putBack, type Staged } from './atomic.ts'
import { errnoOf } from './errno.ts'
import type { DiskPath, Handle } from './handle.ts'
import { tryLock } from './libc.ts'

export const PRIVATE_FOLDER = '.filemgr'

/** Characters that fold to nothing but their own other case. */
const ASCII = /^[!-~ ]*$/
const WORK = 'work'
/** In the workplace: a thing that must come back when its process ends without it. */
const ASIDE_PREFIX = 'aside-'
const THING = 'thing'
const ORIGIN = 'origin'
/** The longest path that Linux opens. */
const ORIGIN_MAX_BYTES = 4096

/**
 * Whether a name, anywhere in the tree, belongs to a filemgr server and not to people: another one may
 * serve a folder further down. In every spelling that some file system takes for it: in any case, with
 * dots or blanks at the end, with characters that fold to it or that nobody sees.
 */
export function isPrivateName(name: string): boolean {
  const seen = ASCII.test(name)
    ? name
    : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return (
    seen.toLowerCase().startsWith(PRIVATE_FOLDER) &&
    /^[. ]*$/.test(seen.slice(PRIVATE_FOLDER.length))
  )
}

/** Something that is out of sight, and back at its place if this process ends without it. */
export interface Aside extends Staged, Disposable {
  /** Gives it its name again; a free one like it, when that is taken by now. */
  putBack(): void
  /** Names it once more as something to be removed: from here on nothing comes back. */
  doom(): Staged
}

export class PrivateFolder {
  readonly #home: Handle
  readonly #folder: Handle
  readonly #work: Handle
  /** This process's own folder in it. */
  readonly #own: Handle
  readonly #ownName: string

  private constructor(home: Handle, folder: Handle, work: Handle) {
    this.#home = home
    this.#folder = folder
    this.#work = work
    this.#ownName = randomName()
    this.#own = ownFolder(work, this.#ownName)
    tryLock(this.#own.fd)
  }

  /**
   * Opens the private folder in `home`, makes it when it is missing, puts back and clears what
   * processes that are gone left. Undefined when `home` cannot be written.
   *
   * @throws Fault conflict when something else stands under its name
   */
  static open(home: Handle): PrivateFolder | undefined {
    try {
      const folder = ownFolder(home, PRIVATE_FOLDER)
      const work = ownFolder(folder, WORK)
      clearAbandoned(work, home)
      return new PrivateFolder(home.duplicate(), folder, work)
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

  /** A folder in it that outlives the process. The caller closes it. */
  lasting(name: string): Handle {
    return ownFolder(this.#folder, name)
  }

  /** A fresh name for something that may be removed at any time. */
  staged(): Staged {
    return { parent: this.#own, name: randomName() }
  }

  /**
   * Takes a thing out of sight in one step, without removing it: whatever happens to this process, it
   * is found again at its place. The caller disposes of what is returned, after `putBack` or `doom`.
   *
   * @param place must lie on this file system, at `home` or below it
   */
  setAside(place: Staged): Aside {
    const name = ASIDE_PREFIX + randomName()
    const folder = ownFolder(this.#own, name)
    try {
      writeOrigin(folder, originOf(place, this.#home))
      renameSync(place.parent.at(place.name), folder.at(THING))
    } catch (error) {
      folder.close()
      rmSync(this.#own.at(name), { recursive: true, force: true })
      throw error
    }
    const staged = this.staged()
    return {
      parent: folder,
      name: THING,
      putBack: () => restore(folder, this.#home),
      doom: () => {
        renameSync(folder.at(THING), staged.parent.at(staged.name))
        return staged
      },
      [Symbol.dispose]: () => {
        const isEmpty = !folder.names().includes(THING)
        folder.close()
        if (isEmpty) rmSync(this.#own.at(name), { recursive: true, force: true })
      },
    }
  }

  close(): void {
    // What is still aside could not be put back: the next start tries again.
    if (!this.#own.names().some((name) => name.startsWith(ASIDE_PREFIX))) {
      rmSync(this.#work.at(this.#ownName), { recursive: true, force: true })
    }
    for (const handle of [this.#own, this.#work, this.#folder, this.#home]) handle.close()
  }

  /** Closes it, and takes it away when nothing of anybody's is in it. */
  remove(): void {
    using home = this.#home.duplicate()
    this.close()
    removeIfEmpty(home, `${PRIVATE_FOLDER}/${WORK}`)
    removeIfEmpty(home, PRIVATE_FOLDER)
  }
}

function removeIfEmpty(home: Handle, name: string): void {
  try {
    rmdirSync(home.at(name))
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error
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

/**
 * A folder whose lock is free has lost its process. What is aside in it goes back to its place; the
 * rest was never published.
 */
function clearAbandoned(work: Handle, home: Handle): void {
  for (const name of work.names()) {
    try {
      using left = work.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
      if (!tryLock(left.fd)) continue
      const asides = left.names().filter((entry) => entry.startsWith(ASIDE_PREFIX))
      const back = asides.map((entry) => isRestored(left, entry, home))
      if (back.every(Boolean)) rmSync(work.at(name), { recursive: true, force: true })
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
}

/** Puts back what a process that is gone had set aside. @returns whether nothing is left aside */
function isRestored(left: Handle, name: string, home: Handle): boolean {
  try {
    using folder = left.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    if (folder.names().includes(THING)) restore(folder, home)
    return true
  } catch {
    return false
  }
}

/** Gives what `folder` keeps its name below `home` again. @throws system errors */
function restore(folder: Handle, home: Handle): void {
  const segments = readOrigin(folder).split('/')
  const name = segments.pop() ?? THING
  using parent = nearestFolder(home, segments)
  putBack({ parent: folder, name: THING }, { parent, name })
}

/**
 * The folder that `segments` name below `home`, or the last one on the way that is still there. Never a
 * private one, which is cleared without asking.
 */
function nearestFolder(home: Handle, segments: readonly string[]): Handle {
  let folder = home.duplicate()
  for (const name of segments) {
    if (isPrivateName(name)) break
    try {
      const next = folder.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
      folder.close()
      folder = next
    } catch {
      break
    }
  }
  return folder
}

/** Where a thing lies below `home`, as a relative path. */
function originOf({ parent, name }: Staged, home: Handle): string {
  const below = parent.realPath().slice(home.realPath().length)
  return `${below}/${name}`.replace(/^\/+/, '')
}

/**
 * Where a thing was. Somebody else may have put another thing in the place of the record (a pipe, a link to
 * a device): then it stays aside.
 *
 * @throws Error for anything but a short file of this server's own
 */
function readOrigin(folder: Handle): string {
  using record = folder.child(ORIGIN, constants.O_RDONLY | constants.O_NONBLOCK)
  const stats = record.stat()
  if (!stats.isFile() || stats.size > ORIGIN_MAX_BYTES || stats.uid !== process.geteuid?.()) {
    throw new Error('This is no record of the server.')
  }
  return nameOfBytes(readFileSync(record.fd))
}

function writeOrigin(folder: Handle, origin: string): void {
  const path: DiskPath = folder.at(ORIGIN)
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    writeSync(fd, bytesOfName(origin))
    fsyncSync(fd)
    fsyncSync(folder.fd)
  } finally {
    closeSync(fd)
  }
}
