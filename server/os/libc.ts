/** The C library through bun:ffi: glibc and musl, on Linux only. */
import { dlopen, type FFIFunction, FFIType, type Pointer, ptr, read } from 'bun:ffi'
import { bytesOfName } from '#wire/names.ts'
import { type CallName, numberOf } from './call-numbers.ts'
import { errnoName, SystemError } from './errno.ts'

const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
/** An argument or result of a system call: a number or an address. */
const WORD = FFIType.i64
const encoder = new TextEncoder()
const { i32, i64, u32, u64, ptr: pointer } = FFIType

export type NativeBytes = DataView | Uint8Array | Uint32Array | BigUint64Array
type Argument = number | bigint | string | NativeBytes

/** Loads functions of the C library; undefined if the library is not found. On other systems nothing is looked for. */
export function openLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  if (process.platform !== 'linux') return undefined
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, functions).symbols
    } catch {
      // Try the next name: a system has only one C library.
    }
  }
  return undefined
}

/** The C library; undefined if it is not found. */
export const libc = openLibrary({
  syscall: { args: [WORD, WORD, WORD, WORD, WORD, WORD], returns: WORD },
  flock: { args: [i32, i32], returns: i32 },
  ioctl: { args: [i32, u64, pointer], returns: i32 },
  lseek: { args: [i32, i64, i32], returns: i64 },
  mknod: { args: [pointer, u32, u64], returns: i32 },
  getxattr: { args: [pointer, pointer, pointer, u64], returns: i64 },
  removexattr: { args: [pointer, pointer], returns: i32 },
  flistxattr: { args: [i32, pointer, u64], returns: i64 },
  fgetxattr: { args: [i32, pointer, pointer, u64], returns: i64 },
  fsetxattr: { args: [i32, pointer, pointer, u64, i32], returns: i32 },
  getpagesize: { args: [], returns: i32 },
  __errno_location: { args: [], returns: pointer },
})

/** The error of the last failed call. */
export function lastError(call: string): SystemError {
  return new SystemError(call, lastErrno())
}

/** The name of the error of the last failed call. It takes less time than an error, which remembers its callers. */
export function lastErrno(): string {
  const location = libc?.__errno_location() as Pointer | null
  return errnoName(location ? read.i32(location, 0) : 0)
}

/** A file name as a C string, with its original bytes. */
export function cName(name: string): Uint8Array {
  return bytesOfName(`${name}\0`)
}

/** A path as a C string, of which node:fs takes the bytes or the text. */
export function cPath(path: string | Buffer): Uint8Array {
  return typeof path === 'string' ? cName(path) : Buffer.concat([path, Buffer.of(0)])
}

/**
 * A UTF-8 text as a C string. It uses no regular expression, because their compiled code is not available in a
 * process forked with clone(2).
 */
export function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`)
}

/**
 * Makes a system call. Strings are passed as C strings, views as pointers. File names must be passed as `cName`.
 *
 * @throws SystemError with the errno's name; ENOSYS without a C library
 */
export function call(name: CallName, ...args: Argument[]): number {
  if (!libc) throw new SystemError(name, 'ENOSYS')
  // The bytes must stay alive until the call returns.
  const views = args.map((arg) => (typeof arg === 'string' ? cString(arg) : arg))
  const values = views.map((arg) => (typeof arg === 'object' ? ptr(arg) : arg))
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = values
  const result = Number(libc.syscall(numberOf(name), a, b, c, d, e))
  if (result < 0) throw lastError(name)
  return result
}

/** The address of a view's bytes, which must stay alive while it is used. */
export function addressOf(view: NativeBytes): bigint {
  return BigInt(ptr(view))
}

/** Size of a memory page. */
export function pageSize(): number {
  return libc?.getpagesize() ?? 4096
}
