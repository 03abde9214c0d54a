/**
 * Reads all entries of a folder by direct system calls: getdents64(2) fills a buffer with names, and statx(2) or
 * openat(2) is called for each name. This is five times as fast as node:fs, which creates a path, a string and an
 * object for each name.
 */
import { FFIType, type Pointer, ptr } from 'bun:ffi'
import { constants } from 'node:fs'
import { numberOf } from '#server/os/call-numbers.ts'
import { O_CLOEXEC } from '#server/os/flags.ts'
import { lastError, openLibrary } from '#server/os/libc.ts'
import { nameOfBytes } from '#wire/names.ts'
import {
  emptyPeekResult,
  type FolderRecords,
  type PeekRequest,
  type PeekResult,
  STAT_FIELD_COUNT,
} from './folder-records.ts'

const SYS_GETDENTS64 = numberOf('getdents64')
const SYS_STATX = numberOf('statx')
const SYS_OPENAT = numberOf('openat')
const SYS_PREAD64 = numberOf('pread64')
const SYS_CLOSE = numberOf('close')
const AT_SYMLINK_NOFOLLOW = 0x100
const AT_EMPTY_PATH = 0x1000
const STATX_BASIC_STATS = 0x7ff
const ENOENT = 'ENOENT'
/** Opens a file for reading; fails for a link, and does not block on a pipe. */
const READ_NO_LINK =
  constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY | O_CLOEXEC

const { i32, u32, ptr: pointer } = FFIType
const kernel = openLibrary({
  syscall: { args: [i32, i32, pointer, i32, u32, pointer], returns: i32 },
})

const NAMES_BYTES = 256 * 1024
/** Field offsets in struct linux_dirent64. */
const DIRENT = { length: 16, type: 18, name: 19 } as const
export const DT_UNKNOWN = 0
export const DT_DIR = 4
export const DT_LNK = 10
/** Field offsets in struct statx; times are seconds, then nanoseconds. */
const STATX = { mode: 28, ino: 32, size: 40, changed: 96, modified: 112, bytes: 256 } as const

/** Shared, because a thread handles one folder at a time. */
const buffer = new Uint8Array(NAMES_BYTES)
const entries = new DataView(buffer.buffer)
const stats = new DataView(new ArrayBuffer(STATX.bytes))

/** The names in a folder, before the metadata is read. */
export interface FolderNames {
  /** Each name ends with a NUL. */
  names: Uint8Array<ArrayBuffer>
  /** The type of each entry, which the kernel reports with the name: `DT_DIR` or another (readdir(3)). */
  types: number[]
}

/**
 * Reads the rest of the folder with the descriptor `fd`.
 *
 * @returns undefined if the system lacks these calls
 * @throws SystemError
 */
export function readFolder(fd: number): FolderRecords | undefined {
  const found = readNames(fd)
  return found && readStats(fd, found.names)
}

/**
 * Reads the names in the rest of the folder with the descriptor `fd`.
 *
 * @returns undefined if the system lacks these calls
 * @throws SystemError
 */
export function readNames(fd: number): FolderNames | undefined {
  if (!kernel || process.platform !== 'linux') return undefined
  const bufferAt = ptr(buffer)
  const names = new GrowableArray(Uint8Array, 1024)
  const types: number[] = []
  for (;;) {
    const filled = kernel.syscall(SYS_GETDENTS64, fd, bufferAt, buffer.length, 0, null)
    if (filled < 0) throw lastError('getdents64')
    if (filled === 0) return { names: names.values(), types }
    for (
      let offset = 0;
      offset < filled;
      offset += entries.getUint16(offset + DIRENT.length, true)
    ) {
      const start = offset + DIRENT.name
      const end = buffer.indexOf(0, start)
      if (isDots(buffer, start, end)) continue
      names.appendPart(buffer, start, end + 1)
      types.push(buffer[offset + DIRENT.type] ?? DT_UNKNOWN)
    }
  }
}

/**
 * Reads the metadata of names in the folder with the descriptor `fd`. Entries that were removed are left out.
 *
 * @param names each ends with a NUL
 * @throws SystemError
 */
export function readStats(fd: number, names: Uint8Array<ArrayBuffer>): FolderRecords {
  if (!kernel || names.length === 0) return { names, numbers: new Float64Array() }
  const { syscall } = kernel
  const [namesAt, statsAt] = [ptr(names), ptr(stats)]
  const found = new GrowableArray(Uint8Array, names.length)
  const numbers = new GrowableArray(Float64Array, STAT_FIELD_COUNT * 32)
  for (let start = 0, end = 0; start < names.length; start = end) {
    end = names.indexOf(0, start) + 1
    const nameAt = (namesAt + start) as Pointer
    const failed = syscall(SYS_STATX, fd, nameAt, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, statsAt)
    if (failed === 0) {
      found.append(names.subarray(start, end))
      numbers.append(numbersOf(stats))
    } else throwUnlessRemoved()
  }
  return { names: found.values(), numbers: numbers.values() }
}

/**
 * Reads the names of subfolders, and all names that begin with a dot. For other files, no text is created.
 *
 * @returns undefined if the system lacks these calls
 * @throws SystemError
 */
export function readFolderNames(fd: number): string[] | undefined {
  if (!kernel || process.platform !== 'linux') return undefined
  const bufferAt = ptr(buffer)
  const names: string[] = []
  for (;;) {
    const filled = kernel.syscall(SYS_GETDENTS64, fd, bufferAt, buffer.length, 0, null)
    if (filled < 0) throw lastError('getdents64')
    if (filled === 0) return names
    for (
      let offset = 0;
      offset < filled;
      offset += entries.getUint16(offset + DIRENT.length, true)
    ) {
      const [type, first] = [buffer[offset + DIRENT.type], buffer[offset + DIRENT.name]]
      if (type !== DT_DIR && type !== DT_UNKNOWN && first !== DOT) continue
      const end = buffer.indexOf(0, offset + DIRENT.name)
      const name = buffer.subarray(offset + DIRENT.name, end)
      if (!isDots(buffer, offset + DIRENT.name, end)) names.push(nameOfBytes(name))
    }
  }
}

/**
 * Reads the first bytes of files in the folder with the descriptor `fd`.
 *
 * @returns undefined if the system lacks these calls
 */
export function readStarts(fd: number, requested: PeekRequest): PeekResult | undefined {
  if (!kernel || process.platform !== 'linux') return undefined
  const { syscall } = kernel
  const namesAt = ptr(requested.names)
  const statsAt = ptr(stats)
  const empty = ptr(new Uint8Array(1))
  const starts = emptyPeekResult(requested)
  const bytesAt = starts.bytes.length > 0 ? ptr(starts.bytes) : empty
  /** The offset of the next name in `requested.names`. */
  let nextName = 0
  for (const [index, inode] of requested.inodes.entries()) {
    const nameAt = (namesAt + nextName) as Pointer
    nextName = requested.names.indexOf(0, nextName) + 1
    const file = syscall(SYS_OPENAT, fd, nameAt, READ_NO_LINK, 0, null)
    if (file < 0) continue
    const hasStats =
      syscall(SYS_STATX, file, empty, AT_EMPTY_PATH, STATX_BASIC_STATS, statsAt) === 0
    const isFile = (stats.getUint16(STATX.mode, true) & constants.S_IFMT) === constants.S_IFREG
    if (hasStats && isFile && uint64At(stats, STATX.ino) === inode) {
      const into = (bytesAt + (requested.offsets[index] ?? 0)) as Pointer
      const length = syscall(SYS_PREAD64, file, into, requested.lengths[index] ?? 0, 0, null)
      if (length >= 0) {
        starts.lengths[index] = length
        starts.sizes[index] = uint64At(stats, STATX.size)
      }
    }
    syscall(SYS_CLOSE, file, null, 0, 0, null)
  }
  return starts
}

/** Throws the error of statx(2), unless the file was removed after its name was read. */
function throwUnlessRemoved(): void {
  const error = lastError('statx')
  if (error.code !== ENOENT) throw error
}

/** Whether the bytes from `start` to `end` are the name `.` or `..`. */
function isDots(buffer: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length > 2 || buffer[start] !== DOT) return false
  return length === 1 || buffer[start + 1] === DOT
}

const DOT = '.'.charCodeAt(0)

/** The numbers of one entry, in the order of `STAT_FIELDS`. */
function numbersOf(stats: DataView): number[] {
  return [
    stats.getUint16(STATX.mode, true),
    uint64At(stats, STATX.ino),
    uint64At(stats, STATX.size),
    millisecondsAt(stats, STATX.modified),
    millisecondsAt(stats, STATX.changed),
  ]
}

/** A typed array that grows as values are appended. */
class GrowableArray<Values extends Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>> {
  readonly #kind: new (
    length: number,
  ) => Values
  #values: Values
  #end = 0

  /** @param length of the array at first */
  constructor(kind: new (length: number) => Values, length: number) {
    this.#kind = kind
    this.#values = new kind(length)
  }

  append(values: ArrayLike<number>): void {
    this.#growTo(this.#end + values.length)
    this.#values.set(values, this.#end)
    this.#end += values.length
  }

  /** Appends a short part of an array. A loop is faster here than a view of the part, which would be an object. */
  appendPart(values: ArrayLike<number>, start: number, end: number): void {
    this.#growTo(this.#end + end - start)
    const target = this.#values
    for (let index = start; index < end; index += 1) {
      target[this.#end] = values[index] ?? 0
      this.#end += 1
    }
  }

  #growTo(length: number): void {
    if (length <= this.#values.length) return
    const larger = new this.#kind(Math.max(this.#values.length * 2, length))
    larger.set(this.#values)
    this.#values = larger
  }

  /** A copy of the appended values. */
  values(): Values {
    return this.#values.slice(0, this.#end) as Values
  }
}

/** Reads an unsigned 64-bit integer, as the nearest number. */
function uint64At(stats: DataView, offset: number): number {
  return stats.getUint32(offset, true) + stats.getUint32(offset + 4, true) * 2 ** 32
}

/** Reads a time: seconds, then nanoseconds. */
function millisecondsAt(stats: DataView, offset: number): number {
  const seconds = stats.getUint32(offset, true) + stats.getInt32(offset + 4, true) * 2 ** 32
  return seconds * 1000 + stats.getUint32(offset + 8, true) / 1e6
}
