/** The C library, through bun:ffi: glibc and musl. Linux only. */
import { dlopen, type FFIFunction, FFIType, type Pointer, ptr, read } from 'bun:ffi'
import { bytesOfName } from '#wire/names.ts'
import { type CallName, numberOf } from './call-numbers.ts'
import { errnoName, SystemError } from './errno.ts'

const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const WORD = FFIType.i64
const encoder = new TextEncoder()
const { i32, i64, u32, u64, ptr: pointer } = FFIType

export type Bytes = DataView | Uint8Array | Uint32Array | BigUint64Array
type Argument = number | bigint | string | Bytes

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
  syscall: { args: [WORD, WORD, WORD, WORD, WORD, WORD], returns: WORD },
  flock: { args: [i32, i32], returns: i32 },
  ioctl: { args: [i32, u64, pointer], returns: i32 },
  lseek: { args: [i32, i64, i32], returns: i64 },
  mknod: { args: [pointer, u32, u64], returns: i32 },
  flistxattr: { args: [i32, pointer, u64], returns: i64 },
  fgetxattr: { args: [i32, pointer, pointer, u64], returns: i64 },
  fsetxattr: { args: [i32, pointer, pointer, u64, i32], returns: i32 },
  getpagesize: { args: [], returns: i32 },
  __errno_location: { args: [], returns: pointer },
})

/** The error of the call that has just failed. */
export function failure(call: string): SystemError {
  const location = libc?.__errno_location() as Pointer | null
  return new SystemError(call, errnoName(location ? read.i32(location, 0) : 0))
}

/** A name as C takes it: the bytes it stands for, and a NUL. */
export function cName(name: string): Uint8Array {
  return bytesOfName(`${name}\0`)
}

/**
 * A text as C takes it, in UTF-8. No expression looks at it: the runtime makes code for those while they run, which a
 * copy of this process made by clone(2) cannot do.
 */
export function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`)
}

/**
 * Makes a system call. Texts become C strings, views the address of their bytes. Names of files are given as `cName`.
 *
 * @throws SystemError with the errno's name; ENOSYS where there is no C library to reach the kernel by
 */
export function call(name: CallName, ...given: Argument[]): number {
  if (!libc) throw new SystemError(name, 'ENOSYS')
  // The bytes behind the addresses must live until the call returns.
  const views = given.map((one) => (typeof one === 'string' ? cString(one) : one))
  const words = views.map((one) => (typeof one === 'object' ? ptr(one) : one))
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = words
  const result = Number(libc.syscall(numberOf(name), a, b, c, d, e))
  if (result < 0) throw failure(name)
  return result
}

/** Where the bytes of a view lie; they must outlive whoever is told. */
export function addressOf(view: Bytes): bigint {
  return BigInt(ptr(view))
}

/** Bytes in a page of memory. */
export function pageSize(): number {
  return libc?.getpagesize() ?? 4096
}
