/** Snappy's framing format: chunks of at most 64 KiB, each with its own checksum. */

import { Compressor } from 'snappy'
import type { Bytes } from '../member.ts'
import type { Codec } from './codec.ts'

export const snappy: Codec = async function* (bytes: Bytes): Bytes {
  const compressor = new Compressor()
  for await (const chunk of bytes) {
    const framed = compressor.update(chunk)
    if (framed.length > 0) yield framed
  }
  yield await compressor.finish()
}
