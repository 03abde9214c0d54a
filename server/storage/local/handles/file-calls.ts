/**
 * Calls of the file system that may take long. On the main thread they run in the runtime's threads, which the whole process
 * shares. A thread of another file system makes them itself: while that does not answer, they would keep the shared threads.
 */

import {
  closeSync,
  constants,
  copyFile,
  copyFileSync,
  type Dirent,
  fchmodSync,
  fchown,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lchownSync,
  openSync,
  promises,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { rm } from '#server/os/remove.ts'
import { writeAt } from '#server/os/write-at.ts'
import { DescriptorHandle } from './descriptor.ts'
import type { DiskPath, Handle } from './handle.ts'

/** An open file; `fs.promises.FileHandle` is one. */
export interface OpenedFile {
  readonly fd: number
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position?: number | null,
  ): Promise<{ bytesWritten: number }>
  read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>
  truncate(sizeBytes: number): Promise<void>
  chmod(mode: number): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** As in `fs.promises`; the calls with a descriptor as in `fs`. */
export interface FileCalls {
  open(path: DiskPath, flags: number, mode?: number): Promise<OpenedFile>
  rm(path: DiskPath, options: { recursive?: boolean; force?: boolean }): Promise<void>
  unlink(path: DiskPath): Promise<void>
  writeFile(
    path: DiskPath,
    content: Uint8Array | string,
    options?: { flag?: number | string; mode?: number },
  ): Promise<void>
  /** Names that are not UTF-8 contain replacement characters. */
  readdir(path: DiskPath): Promise<string[]>
  /** As `readdir`, with the kind of each entry. */
  entries(path: DiskPath): Promise<Dirent[]>
  lchown(path: DiskPath, uid: number, gid: number): Promise<void>
  copyFile(from: DiskPath, to: DiskPath, mode: number): Promise<void>
  fchown(fd: number, uid: number, gid: number): Promise<void>
}

/** The event loop gets a turn after this time, so that the thread says that its file system answers. */
const TURN_EVERY_MS = 50
const COPIED_AT_ONCE_BYTES = 1024 * 1024
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW

const ofRuntime: FileCalls = {
  open: (path, flags, mode) => promises.open(path, flags, mode),
  rm,
  unlink: (path) => promises.unlink(path),
  writeFile: (path, content, options) => promises.writeFile(path, content, options),
  readdir: (path) => promises.readdir(path),
  entries: (path) => promises.readdir(path, { withFileTypes: true }),
  lchown: (path, uid, gid) => promises.lchown(path, uid, gid),
  copyFile: promisify(copyFile),
  fchown: promisify(fchown),
}

class OwnFile implements OpenedFile {
  readonly fd: number
  readonly #pace: () => Promise<void> | undefined

  /** @param pace awaited before a call that may take long */
  constructor(fd: number, pace: () => Promise<void> | undefined) {
    this.fd = fd
    this.#pace = pace
  }

  async write(bytes: Uint8Array, offset: number, length: number, position: number | null = null) {
    await this.#pace()
    return { bytesWritten: writeSync(this.fd, bytes, offset, length, position) }
  }

  async read(bytes: Uint8Array, offset: number, length: number, position: number | null) {
    await this.#pace()
    return { bytesRead: readSync(this.fd, bytes, offset, length, position) }
  }

  async truncate(sizeBytes: number): Promise<void> {
    ftruncateSync(this.fd, sizeBytes)
  }

  async chmod(mode: number): Promise<void> {
    fchmodSync(this.fd, mode)
  }

  async close(): Promise<void> {
    closeSync(this.fd)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

class OwnCalls implements FileCalls {
  readonly #pace = pacer(TURN_EVERY_MS)

  async open(path: DiskPath, flags: number, mode?: number): Promise<OpenedFile> {
    await this.#pace()
    return this.#file(openSync(path, flags, mode))
  }

  async rm(path: DiskPath, { recursive = false, force = false }): Promise<void> {
    try {
      if (recursive) await this.#removeTree(path)
      else rmSync(path, { force })
    } catch (error) {
      if (!force || errnoOf(error) !== 'ENOENT') throw error
    }
  }

  async unlink(path: DiskPath): Promise<void> {
    await this.#pace()
    unlinkSync(path)
  }

  async writeFile(
    path: DiskPath,
    content: Uint8Array | string,
    options?: { flag?: number | string; mode?: number },
  ): Promise<void> {
    await this.#pace()
    const fd = openSync(path, options?.flag ?? 'w', options?.mode)
    try {
      writeFileSync(fd, content)
    } finally {
      closeSync(fd)
    }
  }

  async readdir(path: DiskPath): Promise<string[]> {
    await this.#pace()
    return readdirSync(path)
  }

  async entries(path: DiskPath): Promise<Dirent[]> {
    await this.#pace()
    return readdirSync(path, { withFileTypes: true })
  }

  async lchown(path: DiskPath, uid: number, gid: number): Promise<void> {
    lchownSync(path, uid, gid)
  }

  async copyFile(from: DiskPath, to: DiskPath, mode: number): Promise<void> {
    await this.#pace()
    const isForced = (mode & constants.COPYFILE_FICLONE_FORCE) !== 0
    await using source = this.#file(openSync(from, constants.O_RDONLY))
    const { size, mode: fileMode } = fstatSync(source.fd)
    if (isForced || size <= COPIED_AT_ONCE_BYTES) return copyFileSync(from, to, mode)
    const exclusive = (mode & constants.COPYFILE_EXCL) !== 0 ? constants.O_EXCL : constants.O_TRUNC
    await using target = this.#file(openSync(to, NEW_FILE | exclusive, fileMode))
    const buffer = Buffer.allocUnsafe(COPIED_AT_ONCE_BYTES)
    for (let offset = 0; ; ) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, offset)
      if (bytesRead === 0) return
      await writeAt(target, buffer.subarray(0, bytesRead), offset)
      offset += bytesRead
    }
  }

  async fchown(fd: number, uid: number, gid: number): Promise<void> {
    fchownSync(fd, uid, gid)
  }

  #file(fd: number): OwnFile {
    return new OwnFile(fd, this.#pace)
  }

  /** Removes what has a name; links are not followed. */
  async #removeTree(path: DiskPath): Promise<void> {
    await this.#pace()
    try {
      unlinkSync(path)
      return
    } catch (error) {
      if (!['EISDIR', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
      using folder = folderAt(path)
      if (!folder) throw error
      for (const name of folder.names()) await this.#removeTree(folder.at(name))
    }
    rmdirSync(path)
  }
}

export const fileCalls: FileCalls = Bun.isMainThread ? ofRuntime : new OwnCalls()

/** @returns undefined if it is no folder */
function folderAt(path: DiskPath): Handle | undefined {
  try {
    return new DescriptorHandle(
      openSync(path, constants.O_RDONLY | O_DIRECTORY | constants.O_NOFOLLOW),
    )
  } catch (error) {
    if (['ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}
