/** Open objects of Linux: descriptors, which the paths in /proc reach. */
import { type BigIntStats, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import { SystemError } from '#server/os/errno.ts'
import { O_FOLDER } from '#server/os/flags.ts'
import { mountIdOf } from '#server/os/mount-id.ts'
import {
  openBeneath,
  openBeneathOnSameMount,
  openOnSameMount,
  openWithoutLinks,
} from '#server/os/open-beneath.ts'
import { renameExchange, renameNoReplace } from '#server/os/rename.ts'
import { nameOfBytes } from '#wire/names.ts'
import {
  type DiskPath,
  diskPath,
  Handle,
  type Identity,
  identityOf,
  type MayCross,
} from './handle.ts'

export class DescriptorHandle extends Handle {
  readonly fd: number
  #identity: Identity | undefined
  #device: number | undefined

  constructor(fd: number) {
    super()
    this.fd = fd
  }

  get address(): number {
    return this.fd
  }

  /** A path to this very object (in /proc), even after it was renamed. */
  get disk(): string {
    return `/proc/self/fd/${this.fd}`
  }

  get diskText(): string {
    return this.disk
  }

  at(name: string): DiskPath {
    return diskPath(`/proc/self/fd/${this.fd}/${name}`)
  }

  stat(): Stats {
    return fstatSync(this.fd)
  }

  exactStat(): BigIntStats {
    return fstatSync(this.fd, { bigint: true })
  }

  identity(): Identity {
    if (this.#identity === undefined) {
      const stats = this.exactStat()
      this.#identity = identityOf(stats)
      this.#device = Number(stats.dev)
    }
    return this.#identity
  }

  get dev(): number {
    this.#device ??= fstatSync(this.fd).dev
    return this.#device
  }

  realPath(): string {
    return nameOfBytes(readlinkSync(this.disk, { encoding: 'buffer' }))
  }

  reopen(flags: number): DescriptorHandle {
    return new DescriptorHandle(openSync(this.disk, flags))
  }

  child(name: string, flags: number): DescriptorHandle {
    return new DescriptorHandle(openSync(this.at(name), flags | constants.O_NOFOLLOW))
  }

  above(): DescriptorHandle {
    return new DescriptorHandle(openSync(`${this.disk}/..`, O_FOLDER))
  }

  duplicate(): DescriptorHandle {
    return new DescriptorHandle(openSync(this.disk, O_FOLDER))
  }

  get mountId(): string {
    return mountIdOf(this.fd)
  }

  openBelow(relative: string, flags: number, mayCross: MayCross): DescriptorHandle {
    return new DescriptorHandle(openerOf(mayCross)(this.fd, relative, flags))
  }

  renameToFree(name: string, to: Handle, newName: string): void {
    renameNoReplace([this.fd, name], [to.fd, newName])
  }

  exchange(name: string, other: Handle, otherName: string): void {
    renameExchange([this.fd, name], [other.fd, otherName])
  }

  /** A descriptor reaches the object wherever it is. */
  requireUnmoved(): void {}

  movedTo(): void {}
}

function openerOf(mayCross: MayCross) {
  switch (mayCross) {
    case 'linksAndMounts':
      return openBeneath
    case 'links':
      return openBeneathOnSameMount
    case 'mounts':
      return openWithoutLinks
    case 'nothing':
      return openOnSameMount
  }
}

/** Opens a folder by a path that the operator configured. */
export function openFolder(path: DiskPath): DescriptorHandle {
  const handle = new DescriptorHandle(openSync(path, O_FOLDER))
  if (handle.stat().isDirectory()) return handle
  handle.close()
  throw new SystemError('open', 'ENOTDIR')
}
