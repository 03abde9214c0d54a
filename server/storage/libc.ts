/**
 * The few system calls that node:fs does not offer, through bun:ffi. Linux only; glibc and musl.
 * Numbers are those of the kernel's syscall tables.
 */

import { dlopen, type FFIFunction, FFIType, type Pointer, ptr, read } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { bytesOfName } from '#wire/names.ts'

const SYS_OPENAT2 = 437
const SYS_RENAMEAT2 = process.arch === 'arm64' ? 276 : 316
const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

const RESOLVE_NO_MAGICLINKS = 0x02
const RESOLVE_BENEATH = 0x08
const RENAME_NOREPLACE = 1
const RENAME_EXCHANGE = 2
/** _IOR('f', 1, long), where a long has 64 bits; what comes is an int. */
const FS_IOC_GETFLAGS = 0x80086601
const FS_CASEFOLD_FL = 0x40000000
const LOCK_SH_NB = 1 | 4
const LOCK_EX_NB = 2 | 4
const NOT_FOUND = 'ENOSYS'

/** errno → name, for the calls below. */
const NAMES: Record<number, string> = {
  1: 'EPERM',
  2: 'ENOENT',
  5: 'EIO',
  6: 'ENXIO',
  7: 'E2BIG',
  9: 'EBADF',
  11: 'EAGAIN',
  12: 'ENOMEM',
  13: 'EACCES',
  16: 'EBUSY',
  17: 'EEXIST',
  18: 'EXDEV',
  20: 'ENOTDIR',
  21: 'EISDIR',
  19: 'ENODEV',
  22: 'EINVAL',
  23: 'ENFILE',
  24: 'EMFILE',
  28: 'ENOSPC',
  29: 'ESPIPE',
  30: 'EROFS',
  34: 'ERANGE',
  36: 'ENAMETOOLONG',
  38: NOT_FOUND,
  39: 'ENOTEMPTY',
  40: 'ELOOP',
  61: 'ENODATA',
  95: 'EOPNOTSUPP',
  122: 'EDQUOT',
}

/** A failed call, shaped like node's own errors so that one table translates both. */
export class SystemError extends Error {
  readonly code: string

  constructor(call: string, code: string) {
    super(`${call}: ${code}`)
    this.code = code
  }
}

/** These functions of the C library; undefined where none of its names is known. */
export function openLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, functions).symbols
    } catch {
      // The next name: a system has one C library, not both.
    }
  }
  return undefined
}

/** The C library; undefined where none of the names is known. */
export const libc = openLibrary({
  syscall: {
    args: [FFIType.i64, FFIType.i64, FFIType.ptr, FFIType.i64, FFIType.u64, FFIType.u64],
    returns: FFIType.i64,
  },
  flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  lseek: { args: [FFIType.i32, FFIType.i64, FFIType.i32], returns: FFIType.i64 },
  mknod: { args: [FFIType.ptr, FFIType.u32, FFIType.u64], returns: FFIType.i32 },
  flistxattr: { args: [FFIType.i32, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
  fgetxattr: {
    args: [FFIType.i32, FFIType.ptr, FFIType.ptr, FFIType.u64],
    returns: FFIType.i64,
  },
  fsetxattr: {
    args: [FFIType.i32, FFIType.ptr, FFIType.ptr, FFIType.u64, FFIType.i32],
    returns: FFIType.i32,
  },
  __errno_location: { args: [], returns: FFIType.ptr },
})

/** The error of the call that has just failed. */
export function failure(call: string): SystemError {
  const location = libc?.__errno_location() as Pointer | null
  const errno = location ? read.i32(location, 0) : 0
  return new SystemError(call, NAMES[errno] ?? 'EIO')
}

/** A text as C takes it: the bytes of the name it stands for, and a NUL. */
export function cString(text: string): Uint8Array {
  return bytesOfName(`${text}\0`)
}

/**
 * openat2(2) that the kernel keeps beneath `folder`: `..`, absolute paths, links that leave and
 * magic links fail with EXDEV or ELOOP.
 *
 * @throws SystemError with the errno's name; ENOSYS where the kernel or a filter lacks the call.
 */
export function openBeneath(folder: number, relative: string, flags: number): number {
  if (!libc) throw new SystemError('openat2', NOT_FOUND)
  const path = cString(relative)
  const openHow = new BigUint64Array([
    BigInt(flags),
    0n,
    BigInt(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS),
  ])
  // EAGAIN: a rename elsewhere raced the kernel's walk; its man page asks callers to try again.
  for (let attempt = 0; ; attempt += 1) {
    const fd = libc.syscall(SYS_OPENAT2, folder, ptr(path), ptr(openHow), 24, 0)
    if (fd >= 0) return Number(fd)
    const error = failure('openat2')
    if (error.code !== 'EAGAIN' || attempt >= 64) throw error
  }
}

/** Whether the kernel has openat2 and lets this process call it. */
export function hasOpenBeneath(): boolean {
  const top = openSync('/', 'r')
  try {
    closeSync(openBeneath(top, '.', 0))
    return true
  } catch {
    return false
  } finally {
    closeSync(top)
  }
}

/** A name in an open folder: its descriptor, and the name. */
export type NameIn = readonly [folder: number, name: string]

/**
 * renameat2(2) with RENAME_NOREPLACE: EEXIST when the new name is taken, without a gap in which
 * somebody else could take it.
 *
 * @throws SystemError; ENOSYS or EINVAL where the kernel or the file system lacks it.
 */
export function renameNoReplace(from: NameIn, to: NameIn): void {
  renameWith(RENAME_NOREPLACE, from, to)
}

/**
 * renameat2(2) with RENAME_EXCHANGE: both names stay, and what they stand for is exchanged in one step.
 *
 * @throws SystemError; ENOENT when one of them is gone, ENOSYS or EINVAL where the kernel or the file
 *   system lacks it.
 */
export function renameExchange(one: NameIn, other: NameIn): void {
  renameWith(RENAME_EXCHANGE, one, other)
}

function renameWith(flags: number, from: NameIn, to: NameIn): void {
  if (!libc) throw new SystemError('renameat2', NOT_FOUND)
  const [fromName, toName] = [cString(from[1]), cString(to[1])]
  const toPointer = BigInt(ptr(toName))
  const result = libc.syscall(SYS_RENAMEAT2, from[0], ptr(fromName), to[0], toPointer, flags)
  if (result < 0) throw failure('renameat2')
}

/** Takes an exclusive flock(2) that lasts as long as the descriptor; false when another holds it. */
export function tryLock(fd: number): boolean {
  return libc ? libc.flock(fd, LOCK_EX_NB) === 0 : true
}

/**
 * Takes a shared flock(2), as long as the descriptor lasts: `tryLock` of others fails meanwhile. False
 * when another holds an exclusive one; a file system without locks locks nobody out.
 */
export function lockShared(fd: number): boolean {
  return !libc || libc.flock(fd, LOCK_SH_NB) === 0 || failure('flock').code !== 'EAGAIN'
}

/**
 * Whether an open folder is marked as one that ignores the case of its names (`chattr +F`,
 * ioctl_iflags(2)).
 *
 * @param fd opened for reading
 */
export function isMarkedCaseless(fd: number): boolean {
  const flags = new Int32Array(2)
  if (libc?.ioctl(fd, FS_IOC_GETFLAGS, ptr(flags)) !== 0) return false
  return ((flags[0] ?? 0) & FS_CASEFOLD_FL) !== 0
}
