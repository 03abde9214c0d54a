/** Reads and sets extended attributes of a file with the C library. */
import { dlopen, FFIType, ptr } from 'bun:ffi'

const { symbols } = dlopen('libc.so.6', {
  getxattr: {
    args: [FFIType.ptr, FFIType.ptr, FFIType.ptr, FFIType.u64],
    returns: FFIType.i64,
  },
  removexattr: { args: [FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  setxattr: {
    args: [FFIType.ptr, FFIType.ptr, FFIType.ptr, FFIType.u64, FFIType.i32],
    returns: FFIType.i32,
  },
})

/** @throws Error if the file system does not support extended attributes */
export function setAttribute(path: string, name: string, value: string | Uint8Array): void {
  const bytes = Buffer.from(value as string)
  if (symbols.setxattr(cString(path), cString(name), ptr(bytes), bytes.length, 0) !== 0) {
    throw new Error(`${path} takes no extended attribute.`)
  }
}

/** Removes an attribute, if the file has it. */
export function removeAttribute(path: string, name: string): void {
  symbols.removexattr(cString(path), cString(name))
}

/** @returns the value; undefined if the file has no such attribute */
export function attribute(path: string, name: string): string | undefined {
  const value = Buffer.alloc(1024)
  const length = Number(symbols.getxattr(cString(path), cString(name), ptr(value), value.length))
  return length < 0 ? undefined : value.toString('utf8', 0, length)
}

function cString(text: string) {
  return ptr(Buffer.from(`${text}\0`))
}
