/** Bytes of a file that the system has in memory: reading them waits for no disk (preadv2(2), RWF_NOWAIT). */
import { FFIType, ptr } from 'bun:ffi'
import { openLibrary } from '#server/os/libc.ts'
import type { ByteRange } from './storage.ts'

const RWF_NOWAIT = 8

const { i32, i64, ptr: pointer } = FFIType
const library = openLibrary({
  preadv2: { args: [i32, pointer, i32, i64, i32], returns: i64 },
})

/** @returns undefined where some of them would have to be read, or the system cannot tell */
export function cachedBytes(
  fd: number,
  { first, last }: ByteRange,
): Uint8Array<ArrayBuffer> | undefined {
  const length = last + 1 - first
  if (!library || process.platform !== 'linux') return undefined
  if (length <= 0) return new Uint8Array(0)
  const bytes = new Uint8Array(length)
  const vector = new BigUint64Array([BigInt(ptr(bytes)), BigInt(length)])
  const read = library.preadv2(fd, ptr(vector), 1, first, RWF_NOWAIT)
  return Number(read) === length ? bytes : undefined
}
