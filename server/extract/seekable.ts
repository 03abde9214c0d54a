/** A file as a stream whose reader can skip bytes without reading them. */
import type { SkippingIterator } from './byte-reader.ts'
import { type Bytes, damagedArchive } from './member.ts'
import type { RandomAccess } from './zip.ts'

/** Shorter distances are read, since opening a new range costs more. */
const SKIP_MIN_BYTES = 1024 * 1024

/** The bytes of the whole file. */
export function seekable({ sizeBytes, read }: RandomAccess): Bytes {
  return {
    [Symbol.asyncIterator](): SkippingIterator {
      let at = 0
      let part = iteratorOf(read(0, sizeBytes))
      return {
        async next() {
          const result = await part.next()
          if (!result.done) at += result.value.length
          return result
        },
        async skip(count) {
          if (count < SKIP_MIN_BYTES) return 0
          if (at + count > sizeBytes) throw damagedArchive()
          await part.return?.()
          at += count
          part = iteratorOf(read(at, sizeBytes - at))
          return count
        },
        async return() {
          await part.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

function iteratorOf(bytes: Bytes): AsyncIterator<Uint8Array> {
  return bytes[Symbol.asyncIterator]()
}
