/**
 * Open objects. A path is not safe to pass on, since one of its folders may be replaced after the check; a handle
 * always refers to the same object. Each handle has exactly one owner, which closes it (`using`).
 */
import { type BigIntStats, closeSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { bytesOfName, hasEscapes, nameOfBytes } from '#wire/names.ts'

/** A path for node:fs: bytes if a name is not UTF-8. */
export type DiskPath = string | Buffer

/** The descriptor of an object that is not open. */
export const NOT_OPEN = -1

/**
 * The port of system calls: what the storage asks of an open object. `DescriptorHandle` does it by descriptors of Linux,
 * and `server/storage/portable` by paths, on every system.
 */
export abstract class Handle implements Disposable {
  /** `NOT_OPEN` if the object is not open for reading, and the system opens nothing otherwise. */
  abstract readonly fd: number
  #isOpen = true

  /** What opens the object in another thread of this process. */
  abstract get address(): HandleAddress

  /** A path to this very object for node:fs. */
  abstract get disk(): DiskPath

  /** As `disk`, as text: names that are not UTF-8 are escaped. */
  abstract get diskText(): string

  /** The path of `name` in this folder, for calls that do not follow links. */
  abstract at(name: string): DiskPath

  abstract stat(): Stats

  /** As `stat`, with exact numbers. */
  abstract exactStat(): BigIntStats

  /** Identifies the object on this machine. It is the same as long as the object is open. */
  abstract identity(): Identity

  /** The number of the file system of the object, as in `Stats.dev`. */
  abstract get dev(): number

  /** The mount through which the object was opened; empty if the system does not tell. */
  abstract get mountId(): string

  /** The object's present path on the disk. For comparison only, never for opening. */
  abstract realPath(): string

  /** Opens the same object with other flags, for example to read an object opened with O_PATH. */
  abstract reopen(flags: number): Handle

  /** Opens `name` in this folder, without following a link. */
  abstract child(name: string, flags: number): Handle

  /** Opens the parent folder; for the root of the file system, that root again. */
  abstract above(): Handle

  /** Opens the same folder again (O_PATH); the caller closes both. */
  abstract duplicate(): Handle

  /**
   * Opens a path below this folder in one step.
   *
   * @throws SystemError as of openat2(2); ENOSYS if the system has no such step, so that the caller walks
   */
  abstract openBelow(relative: string, flags: number, mayCross: MayCross): Handle

  /**
   * Renames an entry of this folder, if the new name is free.
   *
   * @throws SystemError EEXIST; ENOSYS or another one if that is not possible without a race
   */
  abstract renameToFree(name: string, to: Handle, newName: string): void

  /**
   * Exchanges an entry of this folder with another one in one step.
   *
   * @throws SystemError ENOENT; ENOSYS or another one if that is not possible in one step
   */
  abstract exchange(name: string, other: Handle, otherName: string): void

  /** @throws SystemError ENOENT if the object is not any more where it was opened, and can only be reached there */
  abstract requireUnmoved(): void

  /** To be called when this process has renamed the object, so that the handle still refers to it. */
  abstract movedTo(parent: Handle, name: string): void

  /** @returns the descriptor, which the caller closes */
  detach(): number {
    this.#isOpen = false
    return this.fd
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.fd !== NOT_OPEN) closeSync(this.fd)
  }

  /** The names in this folder, unordered. */
  names(): string[] {
    const { disk } = this
    const names = readdirSync(disk)
    // Some name is not UTF-8, or contains the characters that encode other bytes: read all names as bytes.
    if (!names.some((name) => name.includes('\ufffd') || hasEscapes(name))) return names
    return readdirSync(disk, { encoding: 'buffer' }).map(nameOfBytes)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** The descriptor, or the path, of an open object. */
export type HandleAddress = number | string

/** What may be on a path that is opened in one step. Nothing outside the folder is ever opened. */
export type MayCross = 'linksAndMounts' | 'links' | 'mounts' | 'nothing'

/** Opens a folder by a path that the operator configured. @throws system errors */
export type OpenFolderAt = (path: DiskPath) => Handle

/** Identifies an object on this machine, by device and inode. Text, since numbers are exact only up to 2^53. */
export type Identity = string

export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): Identity {
  return `${dev}:${ino}`
}

/** @returns the identities of a folder and of all folders above it, found by `..` and not by a path */
export function withAllAbove(folder: Handle): Set<Identity> {
  const identities = new Set<Identity>()
  let handle = folder.duplicate()
  while (!identities.has(handle.identity())) {
    using below = handle
    identities.add(below.identity())
    handle = below.above()
  }
  handle.close()
  return identities
}

/** @returns the identity of the object at a path, without following a link; undefined if there is none */
export function identityAt(path: DiskPath): Identity | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && identityOf(stats)
}

/** Converts a path that was read as text to a path for node:fs: bytes if a name in it is not UTF-8. */
export function diskPath(text: string): DiskPath {
  return hasEscapes(text) ? Buffer.from(bytesOfName(text)) : text
}

/** The path may be as old as the data that it is compared with (`FRESH_MS` in server-files.ts). */
const FRESH_MS = 1000

/** @returns the real path of an open folder, cached for a moment; for comparison only */
export function rootPathOf(root: Handle): () => string {
  let path = ''
  let untilMs = 0
  return () => {
    const nowMs = Date.now()
    if (nowMs >= untilMs) {
      path = root.realPath()
      untilMs = nowMs + FRESH_MS
    }
    return path
  }
}
