/**
 * Open descriptors. A path is not safe to pass on, since one of its folders may be replaced after the check; a handle
 * always refers to the same object. Each handle has exactly one owner, which closes it (`using`).
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { O_FOLDER } from '#server/os/flags.ts'
import { bytesOfName, hasEscapes, nameOfBytes } from '#wire/names.ts'

/** A path for node:fs: bytes if a name is not UTF-8. */
export type DiskPath = string | Buffer

export class Handle {
  readonly fd: number
  #isOpen = true
  #identity: Identity | undefined
  #device: number | undefined

  constructor(fd: number) {
    this.fd = fd
  }

  /** A path to this very object (in /proc), even after it was renamed. */
  get disk(): string {
    return `/proc/self/fd/${this.fd}`
  }

  /** The path of `name` in this folder, for calls that do not follow links. */
  at(name: string): DiskPath {
    return diskPath(`/proc/self/fd/${this.fd}/${name}`)
  }

  stat(): Stats {
    return fstatSync(this.fd)
  }

  /** Identifies the object on this machine. It is the same as long as the object is open. */
  identity(): Identity {
    if (this.#identity === undefined) {
      const stats = fstatSync(this.fd, { bigint: true })
      this.#identity = identityOf(stats)
      this.#device = Number(stats.dev)
    }
    return this.#identity
  }

  /** The number of the file system of the object, as in `Stats.dev`. */
  get dev(): number {
    this.#device ??= fstatSync(this.fd).dev
    return this.#device
  }

  /** The object's present path on the disk. For comparison only, never for opening. */
  realPath(): string {
    return nameOfBytes(readlinkSync(this.disk, { encoding: 'buffer' }))
  }

  /** The names in this folder, unordered. */
  names(): string[] {
    const names = readdirSync(this.disk)
    // Some name is not UTF-8, or contains the characters that encode other bytes: read all names as bytes.
    if (!names.some((name) => name.includes('\ufffd') || hasEscapes(name))) return names
    return readdirSync(this.disk, { encoding: 'buffer' }).map(nameOfBytes)
  }

  /** Opens the same object with other flags, for example to read an object opened with O_PATH. */
  reopen(flags: number): Handle {
    return new Handle(openSync(this.disk, flags))
  }

  /** Opens `name` in this folder, without following a link. */
  child(name: string, flags: number): Handle {
    return new Handle(openSync(this.at(name), flags | constants.O_NOFOLLOW))
  }

  /** Opens the parent folder; for the root of the file system, that root again. */
  above(): Handle {
    return new Handle(openSync(`${this.disk}/..`, O_FOLDER))
  }

  /** Opens the same folder again (O_PATH); the caller closes both. */
  duplicate(): Handle {
    return new Handle(openSync(this.disk, O_FOLDER))
  }

  /** @returns the descriptor, which the caller closes */
  detach(): number {
    this.#isOpen = false
    return this.fd
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.fd)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

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

/** Opens a folder by a path that the operator configured. */
export function openFolder(path: DiskPath): Handle {
  const handle = new Handle(openSync(path, O_FOLDER))
  if (handle.stat().isDirectory()) return handle
  handle.close()
  throw new SystemError('open', 'ENOTDIR')
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
