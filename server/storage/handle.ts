/**
 * Open descriptors. A path cannot be handed on safely as text, since somebody may change a component
 * after the check; a handle names the object itself. Each has exactly one closer: `using`.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import { SystemError } from './libc.ts'

/** Missing from node's constants; the same on every Linux architecture that Bun runs on. */
export const O_PATH = 0o10000000
export const O_FOLDER = O_PATH | constants.O_DIRECTORY

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
  at(name: string): string {
    return `/proc/self/fd/${this.fd}/${name}`
  }

  stat(): Stats {
    return fstatSync(this.fd)
  }

  /** Where the object lies on the disk at this moment. For comparing, never for opening. */
  realPath(): string {
    return readlinkSync(this.disk)
  }

  /** The same object with other rights, for example to read what was opened as O_PATH. */
  reopen(flags: number): Handle {
    return new Handle(openSync(this.disk, flags))
  }

  /** The thing called `name` in this folder, itself and not what it links to. */
  child(name: string, flags: number): Handle {
    return new Handle(openSync(this.at(name), flags | constants.O_NOFOLLOW))
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

/** Opens a folder of the operator's by its path on the disk. */
export function openFolder(path: string): Handle {
  const handle = new Handle(openSync(path, O_FOLDER))
  if (handle.stat().isDirectory()) return handle
  handle.close()
  throw new SystemError('open', 'ENOTDIR')
}
