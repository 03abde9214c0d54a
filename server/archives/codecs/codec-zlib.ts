/** gzip, Brotli and Zstandard by `node:zlib`, which compresses in threads of the runtime. */

import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import type { Bytes } from '../member.ts'
import type { Codec } from './codec.ts'

/** The maximum is 11. 5 compresses as well as gzip's maximum, at the speed of gzip's default. */
const BROTLI_QUALITY = 5

export const gzip: Codec = (bytes) => through(bytes, createGzip())

export const brotli: Codec = (bytes) =>
  through(
    bytes,
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  )

/** With a checksum, so that a reader detects a damaged archive, as with gzip. */
export const zstd: Codec = (bytes) =>
  through(bytes, createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }))

async function* through(bytes: Bytes, transform: Transform): Bytes {
  // Created here and not by `pipeline`, so that `finally` can wait for its cleanup.
  const source = bytes[Symbol.asyncIterator]()
  try {
    // The reader of the transform gets the errors, so the callback ignores them.
    yield* pipeline({ [Symbol.asyncIterator]: () => source }, transform, () => undefined)
  } finally {
    await source.return?.()
  }
}
