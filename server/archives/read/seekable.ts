/** A file as a stream whose reader can skip bytes without reading them. */

import { type Bytes, damagedArchive } from '../member.ts'
import type { SkippingIterator } from '../streams/byte-reader.ts'
import type { RandomAccess } from './zip-directory.ts'

/** Shorter distances are read, since opening a new range costs more. */
const SKIP_MIN_BYTES = 1024 * 1024

/** The bytes of the whole file. */
export function seekable({ sizeBytes, read }: RandomAccess): Bytes {
  return {
    [Symbol.asyncIterator](): SkippingIterator {
      let position = 0
      let range = iteratorOf(read(0, sizeBytes))
      return {
        async next() {
          const result = await range.next()
          if (!result.done) position += result.value.length
          return result
        },
        async skip(count) {
          if (count < SKIP_MIN_BYTES) return 0
          if (position + count > sizeBytes) throw damagedArchive()
          await range.return?.()
          position += count
          range = iteratorOf(read(position, sizeBytes - position))
          return count
        },
        async return() {
          await range.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

function iteratorOf(bytes: Bytes): AsyncIterator<Uint8Array> {
  return bytes[Symbol.asyncIterator]()
}
