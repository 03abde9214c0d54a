/**
 * Open objects on every system: the path by which an object was opened, and its identity. Nothing of the system but
 * node:fs is needed. Before each use the whole path is looked at again: each folder on it must still be the one that was
 * entered, and no link. So a request that meets a folder which another request has moved fails, instead of using another
 * folder. What this cannot prevent is a program of the same machine that replaces a folder between look and use
 * (SECURITY.md).
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { O_DIRECTORY, O_PATH } from '#server/os/flags.ts'
import { belongsToOpenDatabase } from '#server/os/open-databases.ts'
import {
  type DiskPath,
  diskPath,
  Handle,
  type Identity,
  NOT_OPEN,
} from '#server/storage/local/handles/handle.ts'
import { mountIdAt } from '#server/storage/local/mounts/mounts.ts'
import { renameExclusively } from './exclusive-rename.ts'
import {
  isAt,
  type Location,
  locationIn,
  pathOfName,
  requireAt,
  requireStillAt,
  topLocation,
} from './location.ts'
import { requireUsableName } from './usable-name.ts'

/** Flags that say how an object is opened, not for what. Windows does not have all of them. */
const HOW = O_PATH | O_DIRECTORY | (constants.O_NOFOLLOW ?? 0)
/** Opens a file only to refer to it, wherever it is renamed to. */
const REFER = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
/** Errors of opening a file that this account may not read, or that another program keeps for itself. */
const UNREADABLE = ['EACCES', 'EPERM', 'EBUSY', 'EAGAIN']
/** Whether the system opens folders as it opens files. */
const OPENS_FOLDERS = process.platform !== 'win32'

export class PathHandle extends Handle {
  readonly fd: number
  #location: Location

  private constructor(location: Location, fd: number) {
    super()
    this.#location = location
    this.fd = fd
  }

  /**
   * Opens a folder that the operator has configured. Links above it are the operator's own.
   *
   * @throws system errors; SystemError ENOTDIR
   */
  static openTop(path: DiskPath): PathHandle {
    return new PathHandle(topLocation(path), NOT_OPEN)
  }

  get address(): string {
    return this.#location.text
  }

  get disk(): DiskPath {
    return diskPath(this.diskText)
  }

  get diskText(): string {
    requireAt(this.#location)
    return this.#location.text
  }

  /** @throws SystemError EINVAL for a name that leads elsewhere */
  at(name: string): DiskPath {
    for (const part of name.split('/')) requireUsableName(part)
    return diskPath(pathOfName(this.diskText, name))
  }

  stat(): Stats {
    return this.fd === NOT_OPEN ? lstatSync(this.disk) : fstatSync(this.fd)
  }

  exactStat(): BigIntStats {
    const options = { bigint: true } as const
    return this.fd === NOT_OPEN ? lstatSync(this.disk, options) : fstatSync(this.fd, options)
  }

  identity(): Identity {
    return this.#location.identity
  }

  get dev(): number {
    return this.#location.dev
  }

  get mountId(): string {
    return mountIdAt(this.#location.text)
  }

  realPath(): string {
    return this.diskText
  }

  override names(): string[] {
    const names = super.names()
    this.requireUnmoved()
    return names
  }

  reopen(flags: number): PathHandle {
    return new PathHandle(this.#location, openAt(this.#location, flags))
  }

  child(name: string, flags: number): PathHandle {
    if (name === '.') return this.reopen(flags)
    requireAt(this.#location)
    requireUsableName(name)
    const location = locationIn(this.#location, name)
    return new PathHandle(location, openAt(location, flags))
  }

  above(): PathHandle {
    const { above, text } = this.#location
    if (above) return new PathHandle(above, NOT_OPEN)
    // The path is real, so this is its folder. Windows finds nothing at `C:/..`.
    return PathHandle.openTop(diskPath(dirname(text)))
  }

  duplicate(): PathHandle {
    requireAt(this.#location)
    return new PathHandle(this.#location, NOT_OPEN)
  }

  /** There is no such step, so the caller walks. */
  openBelow(): never {
    throw new SystemError('openat2', 'ENOSYS')
  }

  renameToFree(name: string, to: Handle, newName: string): void {
    renameExclusively(this.at(name), to.at(newName))
  }

  exchange(): never {
    throw new SystemError('renameat2', 'ENOSYS')
  }

  requireUnmoved(): void {
    requireStillAt(this.#location)
  }

  movedTo(parent: Handle, name: string): void {
    if (!(parent instanceof PathHandle)) throw new SystemError('rename', 'EXDEV')
    this.#location = locationIn(parent.#location, name)
  }
}

/**
 * Opens the object at a location, if it is still the one that was found there, and no link.
 *
 * @returns the descriptor; `NOT_OPEN` if the object is only referred to
 * @throws system errors, as open(2) with O_NOFOLLOW
 */
function openAt(location: Location, flags: number): number {
  requireAt(location)
  const { kind } = location
  const isReference = (flags & O_PATH) !== 0
  if ((flags & O_DIRECTORY) !== 0 && kind !== 'folder') throw new SystemError('open', 'ENOTDIR')
  if (kind === 'link' && !isReference) throw new SystemError('open', 'ELOOP')
  if (isReference) return kind === 'file' ? refer(location) : NOT_OPEN
  if (kind === 'folder' && !OPENS_FOLDERS) return NOT_OPEN
  return openSame(location, flags & ~HOW)
}

/** @returns `NOT_OPEN` if the file cannot be read; then it is found only as long as it keeps its name */
function refer(location: Location): number {
  try {
    return openSame(location, REFER)
  } catch (error) {
    if (!UNREADABLE.includes(errnoOf(error) ?? '')) throw error
    return NOT_OPEN
  }
}

/** @throws SystemError ENOENT if another object was opened; EACCES for a file whose locks closing it would end */
function openSame(location: Location, flags: number): number {
  if (belongsToOpenDatabase(location.text)) throw new SystemError('open', 'EACCES')
  const fd = openSync(diskPath(location.text), flags | (constants.O_NOFOLLOW ?? 0))
  if (isAt(location, fstatSync(fd, { bigint: true }))) return fd
  closeSync(fd)
  throw new SystemError('open', 'ENOENT')
}
