/** Bytes of a file that the system has in memory: reading them waits for no disk (preadv2(2), RWF_NOWAIT). */
import { FFIType, ptr } from 'bun:ffi'
import { openLibrary } from '#server/os/libc.ts'
import type { ByteRange } from './node.ts'

const RWF_NOWAIT = 8

const { i32, i64_fast, ptr: pointer } = FFIType
const library = openLibrary({
  preadv2: { args: [i32, pointer, i32, i64_fast, i32], returns: i64_fast },
})

/** Where the bytes go, and how many (struct iovec). A thread makes one call at a time. */
const vector = new BigUint64Array(2)

/** @returns undefined where some of them would have to be read, or the system cannot tell */
export function cachedBytes(
  fd: number,
  { first, last }: ByteRange,
): Uint8Array<ArrayBuffer> | undefined {
  const length = last + 1 - first
  if (!library || process.platform !== 'linux') return undefined
  if (length <= 0) return new Uint8Array(0)
  // Whatever was in this memory is written over, or not given to anybody.
  const bytes = Buffer.allocUnsafeSlow(length)
  vector[0] = BigInt(ptr(bytes))
  vector[1] = BigInt(length)
  const read = library.preadv2(fd, ptr(vector), 1, first, RWF_NOWAIT)
  return Number(read) === length ? bytes : undefined
}
