/**
 * Open descriptors. A path cannot be handed on safely as text, since somebody may change a component
 * after the check; a handle names the object itself. Each has exactly one closer: `using`.
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

/** What node:fs takes as a path: bytes where a name is not UTF-8. */
export type DiskPath = string | Buffer

export class Handle {
  readonly fd: number
  #open = true

  constructor(fd: number) {
    this.fd = fd
  }

  /** The name that reaches this very object, whatever its path is by now. */
  get disk(): string {
    return `/proc/self/fd/${this.fd}`
  }

  /** `name` in this folder, for calls that act on the name and do not follow it. */
  at(name: string): DiskPath {
    return diskPath(`/proc/self/fd/${this.fd}/${name}`)
  }

  stat(): Stats {
    return fstatSync(this.fd)
  }

  /** Which object this is, among all objects of the machine. */
  identity(): Identity {
    return identityOf(fstatSync(this.fd, { bigint: true }))
  }

  /** Where the object lies on the disk at this moment. For comparing, never for opening. */
  realPath(): string {
    return nameOfBytes(readlinkSync(this.disk, { encoding: 'buffer' }))
  }

  /** The names in this folder, in no order. */
  names(): string[] {
    const names = readdirSync(this.disk)
    // Whatever Bun could not decode, or decodes to a character that stands for a byte, is read as bytes.
    if (!names.some((name) => name.includes('\ufffd') || hasEscapes(name))) return names
    return readdirSync(this.disk, { encoding: 'buffer' }).map(nameOfBytes)
  }

  /** The same object with other rights, for example to read what was opened as O_PATH. */
  reopen(flags: number): Handle {
    return new Handle(openSync(this.disk, flags))
  }

  /** The thing called `name` in this folder, itself and not what it links to. */
  child(name: string, flags: number): Handle {
    return new Handle(openSync(this.at(name), flags | constants.O_NOFOLLOW))
  }

  /** The folder above this one; above the top of everything, that again. */
  above(): Handle {
    return new Handle(openSync(`${this.disk}/..`, O_FOLDER))
  }

  /** A second handle on the same object, with a closer of its own. */
  duplicate(): Handle {
    return new Handle(openSync(this.disk, O_FOLDER))
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    closeSync(this.fd)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** Names one object: its device and its inode, exact also beyond 2^53. */
export type Identity = string

export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): Identity {
  return `${dev}:${ino}`
}

/** A folder and all above it, as they are at this moment: also where a mount gives it another path. */
export function withAllAbove(folder: Handle): Set<Identity> {
  const found = new Set<Identity>()
  let handle = folder.duplicate()
  while (!found.has(handle.identity())) {
    using below = handle
    found.add(below.identity())
    handle = below.above()
  }
  handle.close()
  return found
}

/** Which object a name stands for, itself and not what it links to; undefined for nothing. */
export function identityAt(path: DiskPath): Identity | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && identityOf(stats)
}

/** A text as node:fs takes it. */
export function diskPath(text: string): DiskPath {
  return hasEscapes(text) ? Buffer.from(bytesOfName(text)) : text
}

/** Opens a folder of the operator's by its path on the disk. */
export function openFolder(path: DiskPath): Handle {
  const handle = new Handle(openSync(path, O_FOLDER))
  if (handle.stat().isDirectory()) return handle
  handle.close()
  throw new SystemError('open', 'ENOTDIR')
}
