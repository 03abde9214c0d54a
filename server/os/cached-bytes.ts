/** Reads bytes that are in the page cache, without waiting for the disk (preadv2(2), RWF_NOWAIT). */
import { FFIType, ptr } from 'bun:ffi'
import { openLibrary } from './libc.ts'

/** The flag for preadv2: fail instead of waiting for the disk. */
const RWF_NOWAIT = 8

const { i32, i64_fast, ptr: pointer } = FFIType
const library = openLibrary({
  preadv2: { args: [i32, pointer, i32, i64_fast, i32], returns: i64_fast },
})

/** struct iovec: the address of the buffer, and its length. All calls share it, since a thread makes one at a time. */
const vector = new BigUint64Array(2)

/**
 * @param first the offset of the first byte
 * @returns undefined if some of the bytes are not in the cache, or the system cannot tell
 */
export function cachedBytes(
  fd: number,
  first: number,
  length: number,
): Uint8Array<ArrayBuffer> | undefined {
  if (!library || process.platform !== 'linux') return undefined
  if (length <= 0) return new Uint8Array(0)
  // The memory is uninitialised: it is overwritten completely, or not returned.
  const bytes = Buffer.allocUnsafeSlow(length)
  vector[0] = BigInt(ptr(bytes))
  vector[1] = BigInt(length)
  const read = library.preadv2(fd, ptr(vector), 1, first, RWF_NOWAIT)
  return Number(read) === length ? bytes : undefined
}
